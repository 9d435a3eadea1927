import { expect, test } from 'vitest';
import { sampleQuery } from '../../../test/support/trees/sample-query.ts';
import { plainPattern, startPlain } from './matcher.ts';

const query = sampleQuery({ pattern: 'needle', perFile: 100 });

test.each([
  ['a word', {}, 'needle'],
  ['several words', { pattern: 'a needle, näh' }, 'a needle, näh'],
  ['signs that are meant as they are', { pattern: 'a.b(c)*', literal: true }, 'a.b(c)*'],
])('plain text: %s', (_what, change, text) => {
  expect(plainPattern({ ...query, ...change })).toBe(text);
});

test.each([
  ['an expression', { pattern: 'need.e' }],
  ['an escape', { pattern: 'need\\w' }],
  ['either case', { ignoreCase: true }],
  ['whole words', { wholeWord: true }],
  ['nothing', { pattern: '' }],
  ['two lines', { pattern: 'a\nb', literal: true }],
])('more than plain text: %s', (_what, change) => {
  expect(plainPattern({ ...query, ...change })).toBeUndefined();
});

function look(enough = Number.POSITIVE_INFINITY) {
  const places: number[] = [];
  const onMatch = (place: number): boolean => places.push(place) >= enough;
  const matcher = startPlain('ab', { onMatch, milliseconds: 10_000, signal: new AbortController().signal });
  return { places, matcher };
}

test('reports the first match of each line, across writes', async () => {
  const { places, matcher } = look();
  await matcher.write(Buffer.from('ab ab\nx\nab\n'));
  await matcher.write(Buffer.from('xab\na\nb\n'));
  expect(await matcher.end()).toBe(true);
  expect(places).toEqual([0, 8, 12]);
});

test('stops when there are enough', async () => {
  const { places, matcher } = look(2);
  await matcher.write(Buffer.from('ab\nab\nab\n'));
  expect(places).toEqual([0, 3]);
});

test('yields to other work, and ends at its deadline', async () => {
  const lines = Buffer.from('ab\n'.repeat(2_000_000));
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const matcher = startPlain('ab', {
    onMatch: () => false,
    milliseconds: 30,
    signal: new AbortController().signal,
  });
  await matcher.write(lines);
  clearInterval(timer);
  expect(await matcher.end()).toBe(false);
  expect(turns).toBeGreaterThan(0);
});

test('ends when it is cancelled', async () => {
  const given = new AbortController();
  const matcher = startPlain('ab', {
    onMatch: () => (given.abort(), false),
    milliseconds: 10_000,
    signal: given.signal,
  });
  await expect(matcher.write(Buffer.from('ab\n'.repeat(2_000_000)))).rejects.toThrow('aborted');
});
