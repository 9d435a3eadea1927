import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  lineOfText,
  listOf,
  namedOf,
  objectOf,
  placeText,
  problem,
  readValue,
  someText,
} from './read-value.ts';

/** The fault of a value, as `<place>: <reason>`. */
function fault(schema: z.ZodMiniType, value: unknown): string {
  const read = readValue(schema, value);
  return 'fault' in read
    ? `${placeText(read.fault.path)}: ${read.fault.reason}`
    : `no fault: ${JSON.stringify(read.value)}`;
}

const letters = objectOf({ allow: z.exactOptional(z.unknown()), b: z.exactOptional(z.unknown()) });

describe('an object', () => {
  test('gives its fields; one that is undefined is not there', () => {
    expect(readValue(letters, { allow: 1, b: undefined, c: undefined })).toEqual({ value: { allow: 1 } });
    expect(readValue(letters, Object.create(null))).toEqual({ value: {} });
  });

  test.each<[string, unknown, string]>([
    ['null', null, 'at the top: it is null, not an object of keys and values'],
    ['a list', [], 'at the top: it is a list, not an object of keys and values'],
    ['a text', 'a', 'at the top: it is a string, not an object of keys and values'],
    ['a map', new Map([['a', 1]]), 'at the top: it is an object, not an object of keys and values'],
    ['a date', new Date(0), 'at the top: it is an object, not an object of keys and values'],
    ['a key that is unknown', { other: 1 }, 'other: it is unknown; keys are: allow, b'],
    [
      'a key that is misspelled',
      { alow: 1 },
      'alow: it is unknown (did you mean "allow"?); keys are: allow, b',
    ],
    ['a key that is no word', { 'x y': 1 }, '["x y"]: it is unknown; keys are: allow, b'],
    ['a key that deceives', { 'xyz\u202E': 1 }, '["xyz\\u{202e}"]: it is unknown; keys are: allow, b'],
    [
      'a prototype',
      JSON.parse('{"__proto__":{"allow":1}}'),
      '["__proto__"]: it is unknown; keys are: allow, b',
    ],
  ])('is not %s', (_case, value, message) => {
    expect(fault(letters, value)).toBe(message);
  });

  test('that lacks a key and has one that is unknown is told of the unknown one, which may be the same', () => {
    expect(fault(objectOf({ glob: someText }), { gob: 'x' })).toBe(
      'gob: it is unknown (did you mean "glob"?); keys are: glob',
    );
  });

  test('says which key is missing, in the object that lacks it', () => {
    expect(fault(objectOf({ list: z.array(objectOf({ glob: someText })) }), { list: [{}] })).toBe(
      'list[0]: "glob" is missing',
    );
  });
});

describe('an object with chosen names', () => {
  test('gives them in order, whatever they are', () => {
    const read = readValue(namedOf(z.number()), JSON.parse('{"b":1,"__proto__":2,"a b":3}'));
    expect('value' in read && Object.entries(read.value)).toEqual([
      ['b', 1],
      ['__proto__', 2],
      ['a b', 3],
    ]);
  });

  test('refuses a name that is empty, and a value that does not fit', () => {
    expect(fault(namedOf(z.number()), { '': 1 })).toBe('[""]: a name cannot be empty');
    expect(fault(namedOf(z.boolean()), { 'a b': 1 })).toBe('["a b"]: it is a number, not true or false');
    expect(fault(namedOf(z.boolean()), JSON.parse('{"__proto__":1}'))).toBe(
      '["__proto__"]: it is a number, not true or false',
    );
    expect(fault(namedOf(z.boolean()), [])).toBe(
      'at the top: it is a list, not an object of keys and values',
    );
  });
});

describe('a list', () => {
  test('has its entries looked at, holes included', () => {
    expect(readValue(listOf(someText), ['a', 'b'])).toEqual({ value: ['a', 'b'] });
    // oxlint-disable-next-line no-sparse-arrays
    expect(fault(listOf(someText), ['a', , 'c'])).toBe('[1]: it is undefined, not a string');
  });

  test('is not something else, and not endless', () => {
    expect(fault(listOf(someText), { length: 1 })).toBe('at the top: it is an object, not a list');
    expect(fault(listOf(someText), Array.from({ length: 1_001 }))).toBe(
      'at the top: it has more than 1000 entries',
    );
  });
});

describe('text', () => {
  test('is given as it is', () => {
    expect(readValue(lineOfText, ' größe 😀 ')).toEqual({ value: ' größe 😀 ' });
    expect(readValue(someText, 'a\nb')).toEqual({ value: 'a\nb' });
  });

  test.each<[unknown, string]>([
    [1, 'it is a number, not a string'],
    ['', 'it is empty'],
    ['x'.repeat(1_025), 'it is longer than 1024 characters'],
    ['a\nb', 'it contains a control character or half of one'],
    ['a\u2028b', 'it contains a control character or half of one'],
    ['a\uD800', 'it contains a control character or half of one'],
  ])('is refused: %j', (value, reason) => {
    expect(fault(lineOfText, value)).toBe(`at the top: ${reason}`);
  });
});

test('a word is one of those that are known', () => {
  const letter = z.enum(['a', 'b']);
  expect(readValue(letter, 'b')).toEqual({ value: 'b' });
  expect(fault(letter, 'c')).toBe('at the top: it is "c"; use one of: a, b');
  expect(fault(letter, null)).toBe('at the top: it is null; use one of: a, b');
  expect(fault(letter, 'toString')).toBe('at the top: it is "toString"; use one of: a, b');
});

test('of several ways to read a value, the one that got furthest tells what is wrong', () => {
  const either = listOf(z.union([lineOfText, objectOf({ glob: lineOfText })]));
  expect(fault(either, ['a', ''])).toBe('[1]: it is empty');
  expect(fault(either, [{ glob: '' }])).toBe('[0].glob: it is empty');
  expect(fault(either, [{}])).toBe('[0]: "glob" is missing');
  expect(fault(either, [{ glob: 'a', c: 1 }])).toBe('[0].c: it is unknown; keys are: glob');
  expect(fault(either, [7])).toBe('[0]: it is a number, not an object of keys and values');
});

test('a check of a schema says where and what', () => {
  const never = z.unknown().check(({ issues }) => {
    issues.push(problem('it is never right', ['x', 1]));
  });
  expect(fault(objectOf({ a: never }), { a: 1 })).toBe('a.x[1]: it is never right');
});

test.each([
  [[], 'at the top'],
  [['deny', 0, 'glob'], 'deny[0].glob'],
  [[0, 'match', 1, 0], '[0].match[1][0]'],
  [['roots', 'my app', 'x'], 'roots["my app"].x'],
  [['a\u202E'], '["a\\u{202e}"]'],
] as const)('the path %j reads %s', (path, text) => {
  expect(placeText(path)).toBe(text);
});
