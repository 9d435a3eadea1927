import { expect, test } from 'vitest';
import { fieldsOf, isFields, isObject, isPlainObject, noFields, ownField } from './fields.ts';

const fields = { a: 1 };
const others = [undefined, null, 5, 'x', () => 1];

test('arrays are objects, and null is not', () => {
  expect([fields, [], new Map()].every(isObject)).toBe(true);
  expect(others.some(isObject)).toBe(false);
});

test('only objects other than arrays have fields', () => {
  expect([isFields(fields), isFields([]), ...others.map(isFields)]).toEqual([
    true,
    ...[[], ...others].map(() => false),
  ]);
  expect(fieldsOf(fields)).toBe(fields);
  expect([[], ...others].map(fieldsOf)).toEqual([[], ...others].map(() => noFields));
});

test('own fields are found, inherited ones are not', () => {
  expect(ownField(fields, 'a')).toBe(1);
  expect(ownField(['x'], '0')).toBe('x');
  expect([ownField(fields, '__proto__'), ownField(fields, 'toString'), ownField('abc', 'length')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(ownField(JSON.parse('{"__proto__":2}'), '__proto__')).toBe(2);
});

test('a plain object is one that JSON.parse makes', () => {
  expect([fields, Object.create(null), JSON.parse('{"__proto__":{"a":1}}')].every(isPlainObject)).toBe(true);
  expect([[], new Map(), new Date(0), new Error('x'), ...others].some(isPlainObject)).toBe(false);
});
