import { expect, test } from 'vitest';
import { expandHome } from './expand-home.ts';

test('a tilde at the beginning is the home, and nowhere else', () => {
  expect(['~/a', '~', '~me/a', '/a/~/b', 'a'].map((path) => expandHome(path, '/home/me'))).toEqual([
    '/home/me/a',
    '/home/me',
    '~me/a',
    '/a/~/b',
    'a',
  ]);
});
