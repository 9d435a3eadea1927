import { expect, test } from 'vitest';
import { fieldAt } from './field-at.ts';

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

test('a __proto__ that somebody wrote is a name like any other', () => {
  const value: unknown = JSON.parse('{"__proto__": {"name": "x"}}');
  expect(fieldAt(value, ['name'])).toBeUndefined();
  expect(fieldAt(value, ['__proto__', 'name'])).toBe('x');
});
