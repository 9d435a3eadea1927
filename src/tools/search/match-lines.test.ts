import { expect, test } from 'vitest';
import { createMatchLines } from './match-lines.ts';
import type { TextQuery } from './text-query.ts';

function match(
  text: string,
  query: Partial<TextQuery>,
): readonly (readonly [number, string, number | undefined])[] {
  const lines = createMatchLines({
    pattern: 'x',
    literal: false,
    ignoreCase: false,
    wholeWord: false,
    context: 0,
    globs: [],
    exclude: [],
    gitignore: true,
    perFile: 100,
    ...query,
  })(text);
  return lines.map(({ line, text: shown, at }) => [line, shown, at]);
}

test('finds lines by an expression', () => {
  expect(match('foo\r\nbar\nfoo bar\n', { pattern: 'ba[rz]$' })).toEqual([
    [2, 'bar', 0],
    [3, 'foo bar', 4],
  ]);
});

test('plain text, whole words, any case', () => {
  expect(match('a.b\naxb', { pattern: 'a.b', literal: true })).toEqual([[1, 'a.b', 0]]);
  expect(match('cat\nconcat', { pattern: 'cat', wholeWord: true })).toEqual([[1, 'cat', 0]]);
  expect(match('Ärger', { pattern: 'ärger', ignoreCase: true })).toEqual([[1, 'Ärger', 0]]);
});

test('lines around a match, each once', () => {
  expect(match('1\nx\n3\nx\n5\n6', { context: 1 })).toEqual([
    [1, '1', undefined],
    [2, 'x', 0],
    [3, '3', undefined],
    [4, 'x', 0],
    [5, '5', undefined],
  ]);
});

test('as many matches as are wanted', () => {
  expect(match('x\nx\nx', { perFile: 2 })).toHaveLength(2);
});

test('the nothing after the last newline is no line', () => {
  expect(match('a\n', { pattern: '^' })).toHaveLength(1);
});

test('escapes that only the loose grammar knows', () => {
  expect(match('a-b', { pattern: 'a\\-b' })).toHaveLength(1);
});

test('refuses an expression that is none', () => {
  expect(() => match('', { pattern: '(' })).toThrow('Cannot search for "("');
});

test('refuses an expression that takes for ever, in time', () => {
  const started = performance.now();
  expect(() => match(`${'a'.repeat(40)}!`, { pattern: '^(a+)+$' })).toThrow('it takes too long');
  expect(performance.now() - started).toBeLessThan(5_000);
});
