import { expect, test } from 'vitest';
import { at, hasOpenBrackets } from './position.ts';

test.each([
  ['', 0, 'line 1, column 1'],
  ['abc', 2, 'line 1, column 3'],
  ['a\nbc', 2, 'line 2, column 1'],
  ['a\r\nbc', 4, 'line 2, column 2'],
  ['a\n', 2, 'line 2, column 1'],
])('%j at %i is %s', (text, offset, place) => {
  expect(at(text, offset)).toBe(place);
});

test.each([
  ['[[[]]]', true],
  ['[[]]', false],
  ['[]'.repeat(100), false],
  ['["[[["]', false],
  ['["\\"[[["]', false],
  ['{"a":[{', true],
])('%s is open at more than two levels: %s', (text, deeper) => {
  expect(hasOpenBrackets(text, 2)).toBe(deeper);
});
