import { expect, test } from 'vitest';
import { expandHome } from './home.ts';

const home = { home: '/home/me', platform: 'posix' } as const;

test('a path that begins at home goes on from there', () => {
  expect(expandHome('~', home)).toBe('/home/me');
  expect(expandHome('~/', home)).toBe('/home/me');
  expect(expandHome('~/code/a.txt', home)).toBe('/home/me/code/a.txt');
});

test('others stay as they are, also where somebody else lives there', () => {
  for (const path of ['', '.', 'a/~', '/~', '~other/a.txt', '~backup', './~/a.txt', 'file:///~/a'])
    expect(expandHome(path, home)).toBe(path);
});

test('a tilde at the beginning is the home, and nowhere else', () => {
  expect(['~/a', '~', '~me/a', '/a/~/b', 'a'].map((path) => expandHome(path, home))).toEqual([
    '/home/me/a',
    '/home/me',
    '~me/a',
    '/a/~/b',
    'a',
  ]);
});
