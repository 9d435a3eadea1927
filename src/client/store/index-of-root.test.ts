import { expect, test } from 'vitest';
import { sampleRoot } from '../../../test/client/sample-root.ts';
import { indexOfRoot } from './index-of-root.ts';

const posix = { home: '/home/me', platform: 'posix' } as const;
const win32 = { home: 'C:\\Users\\me', platform: 'win32' } as const;

const roots = [
  sampleRoot({ name: 'app', path: '/home/me/app' }),
  sampleRoot({ name: 'docs', path: '/srv/docs' }),
];

test.each([
  ['app', 0],
  ['/home/me/app', 0],
  ['/home/me/app/', 0],
  ['~/app', 0],
  ['file:///srv/docs', 1],
  ['/home/me/APP', undefined],
  ['http://srv/docs', undefined],
  ['file:', undefined],
  ['', undefined],
])('%s leads to root %s', (which, index) => {
  expect(indexOfRoot(roots, which, posix)).toBe(index);
});

test.each([
  ['C:\\Work\\App', 0],
  ['c:\\work\\app\\', 0],
  ['~\\docs', 1],
  ['file:///C:/Work/App', 0],
])('%s leads to root %s on Windows', (which, index) => {
  const there = [
    sampleRoot({ name: 'one', path: 'C:\\Work\\App' }),
    sampleRoot({ name: 'two', path: 'C:\\Users\\me\\docs' }),
  ];
  expect(indexOfRoot(there, which, win32)).toBe(index);
});

test('a root that is called like the path of another is not taken for it', () => {
  // A file that somebody wrote by hand may say so; the impostor stands first.
  const impostors = ['/srv/docs', 'file:///srv/docs', '~/app'].map((name) =>
    sampleRoot({ name, path: '/evil' }),
  );
  for (const impostor of impostors) {
    const [index, expected] = impostor.name === '~/app' ? [0, 1] : [1, 2];
    expect(roots[index]).toBeDefined();
    expect(indexOfRoot([impostor, ...roots], impostor.name, posix)).toBe(expected);
  }
});
