import type { TargetKind } from './boundary-operation.ts';

/**
 * One way out. In layout and path, `$OUT` and `$ROOT` are the real paths of two directories side by side,
 * `$UP` leads from the directory of this process to `$OUT`, and `$T` is the name of what the operation needs
 * there: a file, a directory, or something new.
 */
export interface EscapeCase {
  readonly title: string;
  readonly path: string;
  readonly layout?: readonly string[];
  /** The last name is the link that leads out, spelled plainly or as a directory. */
  readonly last?: 'link' | 'link/';
  /** Where it leads does not depend on the operation: to this kind of thing, or to nothing. */
  readonly leadsTo?: TargetKind | 'nothing';
  /** What is reached; `$OUT/$T` unless said otherwise. */
  readonly reached?: string;
  /** Operations that the system itself refuses with this spelling: never on `..`, no rmdir of `.` */
  readonly spared?: readonly string[];
  /** Needs `/proc`. */
  readonly linux?: boolean;
}

const up = (levels: number): string => '../'.repeat(levels);
const deep = Array.from({ length: 20 }, (_, index) => `d${index}`).join('/');
const chain = Array.from({ length: 30 }, (_, index) => `l${index} => l${index + 1}`);

const above = {
  leadsTo: 'directory',
  reached: '$OUT/..',
  spared: ['rename from', 'rename into another boundary'],
} as const;

const byPath: readonly EscapeCase[] = [
  { title: '..', path: '../OUT/$T' },
  { title: '.. behind a directory', layout: ['a/'], path: 'a/../../OUT/$T' },
  { title: '.. behind many directories', layout: [`${deep}/`], path: `${deep}/${up(21)}OUT/$T` },
  { title: '.. behind dots and slashes', path: './/.//..//.//OUT/$T' },
  { title: 'the absolute path', path: '$OUT/$T' },
  { title: 'an absolute path with ..', path: '$ROOT/../OUT/$T' },
  { title: 'an absolute path above the top', path: '/../../..$OUT/$T' },
  { title: '.. alone', path: '..', ...above },
  { title: '../', path: '../', ...above },
  { title: './..', path: './..', ...above },
  { title: '../.', path: '../.', ...above, spared: [...above.spared, 'remove of a tree'] },
  { title: 'a/../..', layout: ['a/'], path: 'a/../..', ...above },
  { title: 'a/../../', layout: ['a/'], path: 'a/../../', ...above },
  { title: '../OUT/vault/', path: '../OUT/vault/', leadsTo: 'directory', reached: '$OUT/vault' },
  { title: 'a missing directory outside', path: '../OUT/absent/$T', leadsTo: 'lost' },
];

const byLastLink: readonly EscapeCase[] = [
  { title: 'an absolute link', layout: ['link => $OUT/$T'], path: 'link', last: 'link' },
  { title: 'a relative link', layout: ['link => ../OUT/$T'], path: 'link', last: 'link' },
  { title: 'a link spelled with a dot', layout: ['link => ../OUT/$T'], path: './link', last: 'link' },
  { title: 'a link below', layout: ['d/link => ../../OUT/$T'], path: 'd/link', last: 'link' },
  {
    title: 'a link deep below',
    layout: [`${deep}/link => ${up(21)}OUT/$T`],
    path: `${deep}/link`,
    last: 'link',
  },
  {
    title: 'a chain of links',
    layout: ['link => second', 'second => d/third', 'd/third => ../../OUT/$T'],
    path: 'link',
    last: 'link',
  },
  {
    title: 'a chain that ends absolutely',
    layout: ['link => d/../second', 'd/', 'second => $OUT/$T'],
    path: 'link',
    last: 'link',
  },
  { title: 'a long chain', layout: [...chain, 'l30 => ../OUT/$T'], path: 'l0', last: 'link' },
  {
    title: 'a link through a link',
    layout: ['out => ../OUT', 'link => out/$T'],
    path: 'link',
    last: 'link',
  },
  {
    title: 'a link with .. behind a name',
    layout: ['a/b/', 'link => a/b/../../../OUT/$T'],
    path: 'link',
    last: 'link',
  },
  {
    title: 'a link with a newline in its name',
    layout: ['l\nk => ../OUT/$T'],
    path: 'l\nk',
    last: 'link',
  },
  {
    title: 'a dangling link',
    layout: ['link => ../OUT/fresh'],
    path: 'link',
    last: 'link',
    leadsTo: 'new',
    reached: '$OUT/fresh',
  },
  {
    title: 'a dangling absolute link',
    layout: ['link => $OUT/fresh'],
    path: 'link',
    last: 'link',
    leadsTo: 'new',
    reached: '$OUT/fresh',
  },
  {
    title: 'a chain that dangles outside',
    layout: ['link => second', 'second => ../OUT/fresh'],
    path: 'link',
    last: 'link',
    leadsTo: 'new',
    reached: '$OUT/fresh',
  },
  {
    title: 'a link to ..',
    layout: ['d/link => ../..'],
    path: 'd/link',
    last: 'link',
    ...above,
  },
  {
    title: 'a link to a directory, with a slash in its text',
    layout: ['link => ../OUT/vault/'],
    path: 'link',
    last: 'link',
    leadsTo: 'directory',
    reached: '$OUT/vault',
  },
  {
    title: 'link/',
    layout: ['link => ../OUT/vault'],
    path: 'link/',
    last: 'link/',
    leadsTo: 'directory',
    reached: '$OUT/vault',
  },
  {
    title: 'link//',
    layout: ['link => $OUT/vault'],
    path: 'link//',
    last: 'link/',
    leadsTo: 'directory',
    reached: '$OUT/vault',
  },
  {
    title: 'link/.',
    layout: ['link => ../OUT/vault'],
    path: 'link/.',
    last: 'link/',
    leadsTo: 'directory',
    reached: '$OUT/vault',
  },
];

const byLinkOnTheWay: readonly EscapeCase[] = [
  { title: 'an absolute link on the way', layout: ['link => $OUT'], path: 'link/$T' },
  { title: 'a relative link on the way', layout: ['link => ../OUT'], path: 'link/$T' },
  { title: 'a link with .. on the way', layout: ['d/up => ../..'], path: 'd/up/OUT/$T' },
  { title: 'a link to ../ on the way', layout: ['up => ../'], path: 'up/OUT/$T' },
  { title: 'a chain on the way', layout: ['a => d/b', 'd/b => c', 'd/c => ../../OUT'], path: 'a/$T' },
  { title: '.. behind a link that left', layout: ['link => ../OUT/vault'], path: 'link/../$T' },
  { title: '.. behind a link that climbed', layout: ['a/b/top => ../..'], path: 'a/b/top/../OUT/$T' },
  { title: '.. behind a link to the root', layout: ['here => .'], path: 'here/here/../OUT/$T' },
  {
    title: 'a dangling link on the way',
    layout: ['link => ../OUT/absent'],
    path: 'link/$T',
    leadsTo: 'nothing',
  },
];

const thatReturn: readonly EscapeCase[] = [
  { title: 'out and back', path: '../ROOT/$T', reached: '$ROOT/$T' },
  { title: 'out and back, deeper', layout: ['a/'], path: 'a/../../ROOT/$T', reached: '$ROOT/$T' },
  { title: 'the absolute path of something inside', path: '$ROOT/$T', reached: '$ROOT/$T' },
  {
    title: 'a link out and back',
    layout: ['link => ../ROOT/$T'],
    path: 'link',
    last: 'link',
    reached: '$ROOT/$T',
  },
  {
    title: 'an absolute link back inside',
    layout: ['link => $ROOT/$T'],
    path: 'link',
    last: 'link',
    reached: '$ROOT/$T',
  },
  {
    title: 'a link out and back on the way',
    layout: ['link => ../ROOT'],
    path: 'link/$T',
    reached: '$ROOT/$T',
  },
  {
    title: 'an absolute link back on the way',
    layout: ['link => $ROOT'],
    path: 'link/$T',
    reached: '$ROOT/$T',
  },
  {
    title: 'out through a link and back with ..',
    layout: ['l => ../OUT'],
    path: 'l/../ROOT/$T',
    reached: '$ROOT/$T',
  },
];

const byProc: readonly EscapeCase[] = [
  {
    title: 'a link to /proc/self/root',
    layout: ['link => /proc/self/root'],
    path: 'link$OUT/$T',
    linux: true,
  },
  {
    title: 'a link beneath /proc/self/root',
    layout: ['link => /proc/self/root$OUT/$T'],
    path: 'link',
    last: 'link',
    linux: true,
  },
  { title: 'a link to /proc/self/cwd', layout: ['link => /proc/self/cwd'], path: 'link/$UP/$T', linux: true },
  {
    title: 'a link beneath /proc/self/cwd',
    layout: ['link => /proc/self/cwd/$UP/$T'],
    path: 'link',
    last: 'link',
    linux: true,
  },
];

export const escapeCases: readonly EscapeCase[] = [
  ...byPath,
  ...byLastLink,
  ...byLinkOnTheWay,
  ...thatReturn,
  ...byProc,
];
