import { expect, test } from 'vitest';
import { pathIn } from './drop-zone.tsx';

test.each([
  ['# comment\r\nfile:///home/u/app\r\nfile:///x', '', 'file:///home/u/app'],
  ['', ' /home/u/app\n', '/home/u/app'],
  ['', '~/app', '~/app'],
  ['', 'C:\\Users\\u', 'C:\\Users\\u'],
  ['https://example.com/', 'app', undefined],
  ['', '', undefined],
])('finds the path in %j and %j', (list, text, path) => {
  expect(pathIn(list, text)).toBe(path);
});
