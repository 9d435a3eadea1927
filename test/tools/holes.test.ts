import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Arguments, type ServedTree, serveOurs, serveReference } from './two-servers.ts';

/** What facts about the reference server showed, on a real tree, with the reference as negative control. */
const tree = [
  'app/a.txt = inside',
  'app/sub/b.txt = b',
  'app/leaving => ../secret',
  'app/gone => ../nothing',
  'app/link => a.txt',
  'app/pipe|',
  'app/Cafe\u0301 = decomposed',
  'app /private.key = TOP-SECRET',
  'secret = TOP-SECRET!!',
] as const;

let theirs: ServedTree;
let ours: ServedTree;

beforeAll(async () => {
  theirs = await serveReference(tree);
  ours = await serveOurs(tree);
});

beforeEach(() => {
  theirs.reset();
  ours.reset();
});

afterAll(async () => {
  await theirs[Symbol.asyncDispose]();
  await ours[Symbol.asyncDispose]();
});

interface Answer {
  readonly text: string;
  readonly refused: boolean;
}

async function ask(served: ServedTree, tool: string, input: Arguments): Promise<Answer> {
  const result = (await served.call(tool, input)) as {
    readonly content: readonly { readonly text?: string }[];
    readonly isError?: boolean;
  };
  return { text: result.content[0]?.text ?? '', refused: result.isError === true };
}

const app = '$TREE/app';

test('H1: a listing tells no size of what is outside', async () => {
  const line = async (served: ServedTree): Promise<string | undefined> =>
    (await ask(served, 'list_directory_with_sizes', { path: app })).text
      .split('\n')
      .find((text) => text.includes('leaving'));
  expect(await line(theirs)).toMatch(/ 12 B$/);
  expect(await line(ours)).toMatch(/ 0 B$/);
});

test('H2: a sibling whose name differs by a space is another directory', async () => {
  expect((await ask(theirs, 'list_directory', { path: `${app} ` })).text).toContain('private.key');
  expect(await ask(ours, 'list_directory', { path: `${app} ` })).toMatchObject({ refused: true });
  const steal = { source: `${app} `, destination: `${app}/stolen` };
  expect(await ask(theirs, 'move_file', steal)).toMatchObject({ refused: false });
  expect(await ask(ours, 'move_file', steal)).toMatchObject({ refused: true });
  expect(readdirSync(ours.root)).not.toContain('stolen');
});

test('H3: writing to the root itself leaves its parent alone', async () => {
  const parent = join(ours.root, '..');
  const before = statSync(parent).mtimeMs;
  expect(await ask(ours, 'write_file', { path: app, content: 'x' })).toMatchObject({ refused: true });
  expect(statSync(parent).mtimeMs).toBe(before);
});

test('H8: a root cannot be moved', async () => {
  const move = { source: app, destination: `${app}/sub/app` };
  expect(await ask(ours, 'move_file', move)).toMatchObject({ refused: true });
  expect(await ask(ours, 'move_file', { source: `${app}/.`, destination: `${app}/x` })).toMatchObject({
    refused: true,
  });
  expect(existsSync(ours.root)).toBe(true);
});

test('H9: moving a link moves the link', async () => {
  const move = { source: `${app}/link`, destination: `${app}/sub/link` };
  await ask(theirs, 'move_file', move);
  expect(existsSync(join(theirs.root, 'a.txt'))).toBe(false);
  expect(await ask(ours, 'move_file', move)).toMatchObject({ refused: false });
  expect(lstatSync(join(ours.root, 'sub/link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(ours.root, 'a.txt'), 'utf8')).toBe('inside');
});

test('H10: pipes are refused by every tool that reads, and nobody waits for them', async () => {
  const reads = Array.from({ length: 8 }, () => ask(ours, 'read_text_file', { path: `${app}/pipe` }));
  expect(await ask(ours, 'read_text_file', { path: `${app}/a.txt` })).toEqual({
    text: 'inside',
    refused: false,
  });
  for (const answer of await Promise.all(reads)) expect(answer).toMatchObject({ refused: true });
  expect(await ask(ours, 'read_media_file', { path: `${app}/pipe` })).toMatchObject({ refused: true });
  expect(await ask(ours, 'edit_file', { path: `${app}/pipe`, edits: [] })).toMatchObject({ refused: true });
  expect(await ask(ours, 'copy_file', { source: `${app}/pipe`, destination: `${app}/x` })).toMatchObject({
    refused: true,
  });
  expect((await ask(ours, 'search_text', { pattern: 'inside' })).text).toContain('a.txt');
});

test('H12: a file of gigabytes is cut or refused, not held in memory', async () => {
  truncateSync(join(ours.root, 'a.txt'), 5 * 1024 ** 3);
  const before = process.memoryUsage.rss();
  for (const tool of ['read_text_file', 'read_media_file'])
    expect(await ask(ours, tool, { path: `${app}/a.txt` })).toMatchObject({ refused: true });
  const edits = [{ oldText: 'inside', newText: '' }];
  expect(await ask(ours, 'edit_file', { path: `${app}/a.txt`, edits })).toMatchObject({ refused: true });
  expect((await ask(ours, 'search_text', { pattern: 'inside' })).text).toBe('No matches found');
  expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 ** 2);
});

describe('H13: a glob that would take for ever is refused at once', () => {
  const bombs = ['{a,b}'.repeat(22), '+(a|aa)+(a|aa)+(a|aa)', `${'**/'.repeat(40)}x`, '['.repeat(2_000)];
  test.each(bombs)('%s', async (pattern) => {
    expect(await ask(ours, 'search_files', { path: app, pattern })).toMatchObject({ refused: true });
    const tree = { path: app, excludePatterns: [pattern] };
    expect(await ask(ours, 'directory_tree', tree)).toMatchObject({ refused: true });
    expect(await ask(ours, 'find_files', { globs: [pattern] })).toMatchObject({ refused: true });
    expect(await ask(ours, 'search_text', { pattern: 'x', globs: [pattern] })).toMatchObject({
      refused: true,
    });
  });
});

test('H14: writing to a file with a second name leaves the other alone', async () => {
  linkSync(join(ours.root, '../secret'), join(ours.root, 'hard'));
  await ask(ours, 'write_file', { path: `${app}/hard`, content: 'changed' });
  expect(readFileSync(join(ours.root, 'hard'), 'utf8')).toBe('changed');
  expect(readFileSync(join(ours.root, '../secret'), 'utf8')).toBe('TOP-SECRET!!');
});

test('H16: a name in another Unicode form is another file', async () => {
  const composed = `${app}/Caf\u00e9`;
  expect(await ask(theirs, 'read_text_file', { path: composed })).toMatchObject({ text: 'decomposed' });
  expect(await ask(ours, 'read_text_file', { path: composed })).toMatchObject({ refused: true });
  await ask(ours, 'write_file', { path: composed, content: 'composed' });
  expect(readFileSync(join(ours.root, 'Cafe\u0301'), 'utf8')).toBe('decomposed');
});

test('H18: a refusal tells neither where a link leads nor whether something is there', async () => {
  const leaving = (await ask(theirs, 'read_text_file', { path: `${app}/leaving` })).text;
  expect(leaving).toContain('$TREE/secret');
  const texts = await Promise.all(
    ['leaving', 'gone', '../secret', '../nothing'].map(async (name) => {
      const { text } = await ask(ours, 'read_text_file', { path: `${app}/${name}` });
      return text.replace(`${app}/${name}`, 'PATH');
    }),
  );
  expect(new Set(texts)).toEqual(new Set(['Cannot reach "PATH": it is outside the roots\nRoots are: app']));
});

test('H19: a private file stays private while it is replaced', async () => {
  const file = join(ours.root, 'a.txt');
  chmodSync(file, 0o600);
  await ask(ours, 'edit_file', { path: `${app}/a.txt`, edits: [{ oldText: 'in', newText: 'out' }] });
  expect(readFileSync(file, 'utf8')).toBe('outside');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
