import { describe, expect, test } from 'vitest';
import {
  type Field,
  parseBoolean,
  parseList,
  parseNamed,
  parseObject,
  parseText,
  parseWord,
} from './field.ts';

const at = (value: unknown, where = 'x'): Field => ({ value, where });

/** What `run` refuses with, as `<where>: <reason>`. */
function refusal(run: () => unknown): string {
  try {
    return `no refusal: ${JSON.stringify(run())}`;
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_POLICY' });
    return (error as Error).message.replace('Cannot use the policy: ', '');
  }
}

describe('an object', () => {
  test('gives its fields with their places', () => {
    expect(parseObject(at({ a: 1, b: undefined }), ['a', 'b', 'c'])).toEqual({ a: at(1, 'x.a') });
    expect(parseObject(at({ a: 1 }, ''), ['a'])).toEqual({ a: at(1, 'a') });
    expect(parseObject(at(Object.create(null)), ['a'])).toEqual({});
  });

  test.each<[string, unknown, string]>([
    ['null', null, 'x: it is null, not an object of keys and values'],
    ['a list', [], 'x: it is a list, not an object of keys and values'],
    ['a text', 'a', 'x: it is a string, not an object of keys and values'],
    ['a map', new Map([['a', 1]]), 'x: it is an object, not an object of keys and values'],
    ['a date', new Date(0), 'x: it is an object, not an object of keys and values'],
    ['a key that is unknown', { alow: 1 }, 'x.alow: it is unknown; keys are: a, b'],
    ['a key that is no word', { 'a b': 1 }, 'x["a b"]: it is unknown; keys are: a, b'],
    ['a key that deceives', { 'a\u202E': 1 }, 'x["a\\u{202e}"]: it is unknown; keys are: a, b'],
    ['a prototype', JSON.parse('{"__proto__":{"a":1}}'), 'x["__proto__"]: it is unknown; keys are: a, b'],
  ])('is not %s', (_case, value, message) => {
    expect(refusal(() => parseObject(at(value), ['a', 'b']))).toBe(message);
  });

  test('says that the fault is at the top', () => {
    expect(refusal(() => parseObject(at(1, ''), []))).toMatch(/^at the top: /);
  });
});

describe('an object with chosen names', () => {
  test('gives them in order, whatever they are', () => {
    const value = JSON.parse('{"b":1,"__proto__":2,"a b":3}') as unknown;
    expect(parseNamed(at(value))).toEqual([
      ['b', at(1, 'x["b"]')],
      ['__proto__', at(2, 'x["__proto__"]')],
      ['a b', at(3, 'x["a b"]')],
    ]);
  });

  test('refuses a name that is empty', () => {
    expect(refusal(() => parseNamed(at({ '': 1 })))).toBe('x[""]: a name cannot be empty');
  });
});

describe('a list', () => {
  test('gives its entries with their places, holes included', () => {
    // oxlint-disable-next-line no-sparse-arrays
    expect(parseList(at(['a', , 'c']))).toEqual([at('a', 'x[0]'), at(undefined, 'x[1]'), at('c', 'x[2]')]);
  });

  test('is not something else, and not endless', () => {
    expect(refusal(() => parseList(at({ length: 1 })))).toBe('x: it is an object, not a list');
    expect(refusal(() => parseList(at(Array.from({ length: 1_001 }))))).toBe(
      'x: it has more than 1000 entries',
    );
  });
});

describe('text', () => {
  test('is given as it is', () => {
    expect(parseText(at(' größe 😀 '))).toBe(' größe 😀 ');
  });

  test.each<[unknown, string]>([
    [1, 'it is a number, not text'],
    ['', 'it is empty'],
    ['x'.repeat(1_025), 'it is longer than 1024 characters'],
    ['a\nb', 'it contains a control character or half of one'],
    ['a\u2028b', 'it contains a control character or half of one'],
    ['a\uD800', 'it contains a control character or half of one'],
  ])('is refused: %j', (value, reason) => {
    expect(refusal(() => parseText(at(value)))).toBe(`x: ${reason}`);
  });
});

test('a boolean is true or false and nothing like it', () => {
  expect([parseBoolean(at(true)), parseBoolean(at(false))]).toEqual([true, false]);
  expect(refusal(() => parseBoolean(at('false')))).toBe('x: it is a string, not true or false');
  expect(refusal(() => parseBoolean(at(0)))).toBe('x: it is a number, not true or false');
});

test('a word is one of those that are known', () => {
  expect(parseWord(at('b'), ['a', 'b'], 'letters')).toBe('b');
  expect(refusal(() => parseWord(at('c'), ['a', 'b'], 'letters'))).toBe('x: it is "c"; letters are: a, b');
  expect(refusal(() => parseWord(at(null), ['a', 'b'], 'letters'))).toBe('x: it is null; letters are: a, b');
});
