import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { looks, readFilter, readTypedPath } from './looks.ts';

test('a filter reads known fields, and ignores empty ones', () => {
  const query = new URLSearchParams('caller=a&root=&text=x&upto=7&other=1');
  expect(readFilter(query)).toEqual({ caller: 'a', text: 'x', upto: 7 });
  expect(readFilter(new URLSearchParams('upto=-1'))).toEqual({ upto: 0 });
});

test('every look has its own path', () => {
  expect(Object.keys(looks).every((path) => path.startsWith('/api/'))).toBe(true);
});

test('reads a path, a path below home, and a URI', () => {
  expect(readTypedPath(' /srv/docs ')).toBe('/srv/docs');
  expect(readTypedPath('~/work/shop')).toBe(join(homedir(), 'work/shop'));
  expect(readTypedPath('file:///srv/my%20docs')).toBe('/srv/my docs');
  expect(() => readTypedPath('file://%zz')).toThrow(expect.objectContaining({ code: 'INVALID_URI' }));
});
