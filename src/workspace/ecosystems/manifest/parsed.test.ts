import { describe, expect, test } from 'vitest';
import { at, fieldAt, hasOpenBrackets, parseWithin } from './parsed.ts';

const long = 'x'.repeat(5_000);

describe('parseWithin', () => {
  test.each(['short', long])('gives what the parser makes of a text', (text) => {
    expect(parseWithin(text, ({ length }) => ({ value: length }))).toEqual({ value: text.length });
    expect(parseWithin(text, () => ({ fault: 'none' }))).toEqual({ fault: 'none' });
  });

  test.each(['short', long])('lets through what the parser throws', (text) => {
    const fail = (): never => {
      throw new RangeError('too deep');
    };
    expect(() => parseWithin(text, fail)).toThrow(new RangeError('too deep'));
  });

  test('ends a parser that does not end', () => {
    const forever = (): never => {
      for (;;);
    };
    expect(parseWithin(long, forever, 20)).toEqual({ fault: 'it takes too long to parse' });
  });
});

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

test.each<[value: unknown, path: string[], found: unknown]>([
  [{ a: { b: 1 } }, ['a', 'b'], 1],
  [{ a: { b: 1 } }, ['a', 'c'], undefined],
  [{ a: 'text' }, ['a', 'length'], undefined],
  [{ a: null }, ['a', 'b'], undefined],
  [[{ b: 1 }], ['0', 'b'], 1],
  [{ a: 1 }, [], { a: 1 }],
  [undefined, ['a'], undefined],
  [{}, ['constructor', 'name'], undefined],
  [{}, ['toString'], undefined],
  [Object.create({ name: 'inherited' }), ['name'], undefined],
])('%j at %j is %j', (value, path, found) => {
  expect(fieldAt(value, path)).toEqual(found);
});

test('a written __proto__ is a name like any other', () => {
  const value: unknown = JSON.parse('{"__proto__": {"name": "x"}}');
  expect(fieldAt(value, ['name'])).toBeUndefined();
  expect(fieldAt(value, ['__proto__', 'name'])).toBe('x');
});
