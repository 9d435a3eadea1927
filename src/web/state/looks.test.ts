import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { looks, readFilter, readTypedPath } from './looks.ts';

test('a filter takes what it knows, and an empty word says nothing', () => {
  const query = new URLSearchParams('caller=a&root=&text=x&upto=7&other=1');
  expect(readFilter(query)).toEqual({ caller: 'a', text: 'x', upto: 7 });
  expect(readFilter(new URLSearchParams('upto=-1'))).toEqual({ upto: 0 });
});

test('what can be looked at has a path of its own', () => {
  expect(Object.keys(looks).every((path) => path.startsWith('/api/'))).toBe(true);
});

test('a path, one from the home, and a URI mean a place', () => {
  expect(readTypedPath(' /srv/docs ')).toBe('/srv/docs');
  expect(readTypedPath('~/work/shop')).toBe(join(homedir(), 'work/shop'));
  expect(readTypedPath('file:///srv/my%20docs')).toBe('/srv/my docs');
  expect(() => readTypedPath('file://%zz')).toThrow(expect.objectContaining({ code: 'INVALID_URI' }));
});
