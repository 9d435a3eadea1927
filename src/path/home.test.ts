import { expect, test } from 'vitest';
import { expandHome } from './home.ts';

const home = { home: '/home/me', platform: 'posix' } as const;

test('a path that begins with ~ is expanded', () => {
  expect(expandHome('~', home)).toBe('/home/me');
  expect(expandHome('~/', home)).toBe('/home/me');
  expect(expandHome('~/code/a.txt', home)).toBe('/home/me/code/a.txt');
});

test('other paths stay as they are, also the home of another user', () => {
  for (const path of ['', '.', 'a/~', '/~', '~other/a.txt', '~backup', './~/a.txt', 'file:///~/a'])
    expect(expandHome(path, home)).toBe(path);
});

test('a tilde is expanded only at the beginning', () => {
  expect(['~/a', '~', '~me/a', '/a/~/b', 'a'].map((path) => expandHome(path, home))).toEqual([
    '/home/me/a',
    '/home/me',
    '~me/a',
    '/a/~/b',
    'a',
  ]);
});
