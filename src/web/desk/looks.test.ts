import { expect, test } from 'vitest';
import { looks, readFilter } from './looks.ts';

test('a filter takes what it knows, and an empty word says nothing', () => {
  const query = new URLSearchParams('caller=a&root=&text=x&upto=7&other=1');
  expect(readFilter(query)).toEqual({ caller: 'a', text: 'x', upto: 7 });
  expect(readFilter(new URLSearchParams('upto=-1'))).toEqual({ upto: 0 });
});

test('what can be looked at has a path of its own', () => {
  expect(Object.keys(looks).every((path) => path.startsWith('/api/'))).toBe(true);
});
