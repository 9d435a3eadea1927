import { chmodSync } from 'node:fs';
import { sampleQuery } from '../../../test/support/trees/sample-query.ts';
import { expect, test } from 'vitest';
import { childrenOf } from '../../../test/support/processes/children-of.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { MatcherOptions } from './matcher.ts';
import { startRipgrep } from './ripgrep-matcher.ts';
import { requiredText } from './search-place.ts';
import { findRipgrep } from './search-text.ts';
import type { TextQuery } from './text-query.ts';

const plain = sampleQuery();

const ripgrep = (await findRipgrep(process.env)) ?? '';

/** The places of matches in a text. */
async function places(text: string, wish: Partial<TextQuery>, most = 1_000): Promise<readonly number[]> {
  const found: number[] = [];
  const options: MatcherOptions = {
    onMatch: (place) => found.push(place) >= most,
    milliseconds: 15_000,
    signal: new AbortController().signal,
  };
  await using matcher = startRipgrep(ripgrep, { ...plain, ...wish }, options);
  await matcher.write(Buffer.from(text));
  expect(await matcher.end()).toBe(true);
  return found;
}

test.each([
  ['x', 'ax\nb\nxx\n', [1, 5]],
  ['^$', 'a\n\nb\n', [2]],
  ['x*', 'a\nxx\n\n', [0, 2, 5]],
  ['a$', 'a\r\nba\n', [0, 4]],
  ['b|a', 'cab\n', [1]],
  ['\\Aa', 'a\nba\na\n', [0, 5]],
  ['a\\z', 'a\nba\nab\n', [0, 3]],
  ['(?i)A', 'ba\n', [1]],
  ['(a)|(b)', 'ccb\n', [2]],
  ['[)]', 'a)\n', [1]],
  ['.', 'ä\n\nb\n', [0, 4]],
])('%s in %j matches at %j, once per line', async (pattern, text, expected) => {
  expect(await places(text, { pattern })).toEqual(expected);
});

test('words, plain text and case', async () => {
  expect(await places('needles\na needle\n', { pattern: 'needle', wholeWord: true })).toEqual([10]);
  expect(await places('axb\na.b\n', { pattern: 'a.b', literal: true })).toEqual([4]);
  expect(await places('a)|(b\n', { pattern: ')|(', literal: true })).toEqual([1]);
  expect(await places('A\n', { pattern: 'a', ignoreCase: true })).toEqual([0]);
});

test('reports a huge line once, however often it matches', async () => {
  const text = `${'x'.repeat(8 * 1024 * 1024)}\nx\n`;
  expect(await places(text, { pattern: '.' })).toEqual([0, 8 * 1024 * 1024 + 1]);
});

test('stops when there are enough, even in endless output', async () => {
  expect(await places('x\n'.repeat(1_000_000), { pattern: 'x' }, 3)).toEqual([0, 2, 4]);
});

test.each([
  ['(', 'unclosed group'],
  [')', 'unopened group'],
  ['a)|(b', 'unopened group'],
  ['a)(?:b', 'unopened group'],
  ['[', 'unclosed character class'],
  ['\\', 'unclosed group'],
  ['(?=x)', 'look-around'],
  ['a\nb', 'it has a newline'],
  ['a\\nb', 'it has a newline'],
  ['(?:a{1000}){1000}', 'exceeds size limit'],
])('refuses %j, with the error of ripgrep in one line', async (pattern, reason) => {
  const refused = places('x\n', { pattern }).catch((error: unknown) => error);
  expect(await refused).toMatchObject({ code: 'INVALID_PATTERN', data: { pattern } });
  expect(String(Object(await refused).data.reason)).toContain(reason);
});

test('a ripgrep that is killed has not searched everything', async () => {
  const options = { onMatch: () => false, milliseconds: 15_000, signal: new AbortController().signal };
  await using matcher = startRipgrep(ripgrep, { ...plain, pattern: 'x' }, options);
  await matcher.write(Buffer.from('y\n'));
  const own = childrenOf(process.pid).find((child) => child.endsWith(ripgrep));
  process.kill(Number(own?.split(' ')[0]), 'SIGKILL');
  await expect(matcher.end()).rejects.toMatchObject({
    code: 'SEARCH_FAILED',
    message: 'Cannot finish the search: ripgrep was killed',
  });
});

test.runIf(process.platform !== 'win32')('a ripgrep that crashes has not searched everything', async () => {
  using tree = tempTree(['rg = #!/bin/sh\ncat > /dev/null\nexit 101\n']);
  chmodSync(tree.at('rg'), 0o755);
  const options = { onMatch: () => false, milliseconds: 15_000, signal: new AbortController().signal };
  await using matcher = startRipgrep(tree.at('rg'), { ...plain, pattern: 'x' }, options);
  await matcher.write(Buffer.from('y\n'));
  await expect(matcher.end()).rejects.toMatchObject({
    message: 'Cannot finish the search: ripgrep ended with code 101',
  });
});

test('reports when its time is over', async () => {
  const options = { onMatch: () => false, milliseconds: 1, signal: new AbortController().signal };
  await using matcher = startRipgrep(ripgrep, { ...plain, pattern: 'x' }, options);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await matcher.end()).toBe(false);
});

test('the required text occurs in every line that matches', async () => {
  const lines = [
    'import x from',
    'class  Foo',
    'color colour',
    'abbcd',
    'abc',
    'a-b',
    'x41',
    'fo.o',
    '名前前',
  ];
  const patterns = ['^import .* fr', 'class\\s+Foo', 'colou?r', 'ab+cd', 'ab*c', 'a-?b', 'fo\\.o', '名前+'];
  for (const pattern of patterns) {
    const needed = requiredText({ ...plain, pattern }) ?? '';
    let start = 0;
    const found = await places(`${lines.join('\n')}\n`, { pattern });
    for (const line of lines) {
      const end = start + Buffer.byteLength(line);
      const isFound = found.some((place) => place >= start && place <= end);
      expect([pattern, line, isFound && !line.includes(needed)]).toEqual([pattern, line, false]);
      start = end + 1;
    }
    expect(found).not.toEqual([]);
  }
});
