import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { HintLine } from './ripgrep-events.ts';
import type { FoundLine } from './text-query.ts';
import { toFound, verifyHint } from './verify-hint.ts';

const secret = 'TOP-SECRET\n';
const hintOf = (text: string, offset = 0): HintLine => ({
  line: 1,
  bytes: Buffer.from(text),
  offset,
  start: 0,
});

async function verify(
  entries: readonly string[],
  path: string,
  ...lines: readonly HintLine[]
): Promise<readonly FoundLine[] | undefined> {
  using tree = tempTree(['app/', ...entries]);
  await using boundary = await openBoundary(tree.at('app'));
  return await verifyHint(boundary, path, { path, lines });
}

test('what is there is a result', async () => {
  expect(await verify([`app/a = ${secret}`], 'a', hintOf(secret))).toEqual([
    { line: 1, text: 'TOP-SECRET', at: 0 },
  ]);
});

test.each([
  ['a file outside, by a link', ['app/a => ../secret', `secret = ${secret}`], 'a'],
  ['a file outside, by a linked directory', ['app/d => ../out', `out/a = ${secret}`], 'd/a'],
  ['a file outside, by dots', [`secret = ${secret}`], '../secret'],
  ['a file that holds something else', ['app/a = harmless\n'], 'a'],
  ['a file that is gone', [], 'a'],
  ['a directory', ['app/a/'], 'a'],
  ['a pipe', ['app/a|'], 'a'],
])('%s is none', async (_name, entries, path) => {
  expect(await verify(entries, path, hintOf(secret))).toBeUndefined();
});

test('what a rule denies is none', async () => {
  using tree = tempTree([`app/a = ${secret}`]);
  await using boundary = await openBoundary(tree.at('app'));
  const lines = [hintOf(secret)];
  expect(await verifyHint(boundary, 'a', { path: 'a', lines })).toHaveLength(1);
  const { RootwardError } = await import('../../errors.ts');
  const denied = new RootwardError('NO_PERMISSION', { verb: 'read', path: 'a' });
  expect(
    await verifyHint(
      boundary.guarded(() => denied),
      'a',
      { path: 'a', lines },
    ),
  ).toBeUndefined();
});

test('one line that is not there makes all of them doubtful', async () => {
  const there = ['app/a = one\ntwo\n'];
  expect(await verify(there, 'a', hintOf('one\n'), hintOf('two\n', 4))).toHaveLength(2);
  expect(await verify(there, 'a', hintOf('one\n'), hintOf('TWO\n', 4))).toBeUndefined();
});

test('lines far apart are read one by one', async () => {
  const gap = 'x'.repeat(300_000);
  const content = `one\n${gap}\ntwo\n`;
  expect(await verify([`app/a = ${content}`], 'a', hintOf('one\n'), hintOf('two\n', 300_005))).toHaveLength(
    2,
  );
});

test('a file with a byte order mark is compared by its text', async () => {
  using tree = tempTree();
  mkdirSync(tree.at('app'));
  writeFileSync(tree.at('app/utf8'), '\ufeffone\ntwo\n');
  writeFileSync(tree.at('app/utf16'), Buffer.from('\ufeffone\ntwo\n', 'utf16le'));
  await using boundary = await openBoundary(tree.at('app'));
  const line: HintLine = { line: 2, bytes: Buffer.from('two\n'), offset: 4, start: 0 };
  for (const path of ['utf8', 'utf16']) {
    expect(await verifyHint(boundary, path, { path, lines: [line] })).toHaveLength(1);
    const lie = { ...line, bytes: Buffer.from('lie\n') };
    expect(await verifyHint(boundary, path, { path, lines: [lie] })).toBeUndefined();
  }
});

test('places are counted in characters', () => {
  expect(toFound({ line: 3, bytes: Buffer.from('äöx\r\n'), offset: 0, start: 4 })).toEqual({
    line: 3,
    text: 'äöx',
    at: 2,
  });
});
