/** A path that stays inside, and what it needs on the disk besides the usual. */
export interface HarmlessCase {
  readonly path: string;
  /** More entries of the root. */
  readonly layout?: readonly string[];
  /** A socket of this name is listening. */
  readonly socket?: string;
  /** What the path names has this mode. */
  readonly mode?: number;
  /** This directory has the mode 0. To root that means nothing; then only the results are compared. */
  readonly locked?: string;
}

/** What every case finds in its root. */
export const usualLayout: readonly string[] = ['target = text', 'spare', 'dir/inner', 'dir/sub/deep'];

const spellings: readonly HarmlessCase[] = [
  { path: 'target' },
  { path: './target' },
  { path: './/./target' },
  { path: 'target/' },
  { path: 'target/.' },
  { path: 'target/x' },
  { path: 'target/..' },
  { path: '.' },
  { path: './' },
  { path: './/.' },
  { path: 'dir' },
  { path: 'dir/' },
  { path: 'dir/.' },
  { path: 'dir/..' },
  { path: 'dir/../target' },
  { path: 'dir/sub/..' },
  { path: 'dir/sub/../../dir/inner' },
  { path: 'dir/new' },
  { path: 'empty', layout: ['empty/'] },
  { path: 'empty/', layout: ['empty/'] },
  { path: 'empty/.', layout: ['empty/'] },
  { path: 'missing' },
  { path: 'missing/' },
  { path: 'missing/.' },
  { path: 'missing/x' },
  { path: 'missing/..' },
  { path: 'missing/../target' },
  { path: `${'./'.repeat(2_500)}target` },
];

const links: readonly HarmlessCase[] = [
  ...['link', 'link/', 'link/.', 'link/x', 'link/..'].map((path) => ({ path, layout: ['link => target'] })),
  { path: 'slashlink', layout: ['slashlink => target/'] },
  { path: 'chain', layout: ['chain => second', 'second => dir/../third', 'third => target'] },
  ...['dirlink', 'dirlink/', 'dirlink/.', 'dirlink/inner', 'dirlink/new', 'dirlink/..'].map((path) => ({
    path,
    layout: ['dirlink => dir'],
  })),
  { path: 'dotlink', layout: ['dotlink => dir/.'] },
  ...['sublink/..', 'sublink/../inner'].map((path) => ({ path, layout: ['sublink => dir/sub'] })),
  { path: 'dir/uplink', layout: ['dir/uplink => ../target'] },
  { path: 'herelink/target', layout: ['herelink => .'] },
  ...['dir/here', 'dir/here/', 'dir/here/inner', 'dir/here/..'].map((path) => ({
    path,
    layout: ['dir/here => .'],
  })),
  ...['dir/sub/back', 'dir/sub/back/inner'].map((path) => ({ path, layout: ['dir/sub/back => ../sub/..'] })),
  ...['dangling', 'dangling/', 'dangling/x'].map((path) => ({ path, layout: ['dangling => missing'] })),
  { path: 'dangling below', layout: ['dangling below => missing/x'] },
  ...['loop', 'loop/', 'loop/x'].map((path) => ({ path, layout: ['loop => loop'] })),
  { path: 'ping', layout: ['ping => pong', 'pong => ping'] },
  { path: '40 links', layout: linkChain(40) },
  { path: '41 links', layout: linkChain(41) },
];

/** As many links as the system follows, or one more. */
function linkChain(length: number): readonly string[] {
  const name = (left: number): string => (left === 0 ? 'target' : `${left} links`);
  return Array.from({ length }, (_, index) => `${name(index + 1)} => ${name(index)}`);
}

const specials: readonly HarmlessCase[] = [
  { path: 'pipe', layout: ['pipe|'] },
  { path: 'pipe/', layout: ['pipe|'] },
  { path: 'pipelink', layout: ['pipe|', 'pipelink => pipe'] },
  { path: 'socket', socket: 'socket' },
  { path: 'locked', layout: ['locked/inner'], locked: 'locked' },
  { path: 'locked/inner', layout: ['locked/inner'], locked: 'locked' },
];

const modes: readonly HarmlessCase[] = [
  { path: 'private', layout: ['private'], mode: 0o600 },
  { path: 'shared', layout: ['shared'], mode: 0o666 },
  { path: 'read-only', layout: ['read-only'], mode: 0o444 },
  { path: 'program', layout: ['program'], mode: 0o755 },
];

const oddNames: readonly HarmlessCase[] = [
  '?',
  '*',
  'a b',
  'last ',
  'new\nline',
  'caf\u00E9',
  'cafe\u0301',
  '-rf',
  '...',
  '..a',
  'back\\slash',
  '%2e%2e',
  'C:',
  'n'.repeat(255),
].map((path) => ({ path, layout: ['caf\u00E9 = composed', 'cafe\u0301 = decomposed', `${path} = odd`] }));

export const harmlessCases: readonly HarmlessCase[] = [
  ...spellings,
  ...links,
  ...specials,
  ...modes,
  ...oddNames,
];
