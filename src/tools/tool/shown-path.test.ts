import { expect, test } from 'vitest';
import { parseFileUri } from '../../path/file-uri.ts';
import type { NamedProject } from '../../server/settings/rootward.ts';
import { compare, isOneLine, oneLinePath, orderPaths, shownPath, sizeText } from './shown-path.ts';

const project = { name: 'app', location: '/home/me/app', id: 'app', kind: 'directory', markers: [] } as const;

test('is relative within the project and absolute elsewhere', () => {
  expect(shownPath({ project }, '/home/me/app/src/a.ts')).toBe('src/a.ts');
  expect(shownPath({ project }, '/home/me/app')).toBe('.');
  expect(shownPath({ project }, '/home/me/app-old/a.ts')).toBe('/home/me/app-old/a.ts');
});

test('is absolute if the project has no location', () => {
  const named: NamedProject = { name: 'app', location: undefined, id: 'app', kind: 'name', markers: [] };
  expect(shownPath({ project: named }, '/srv/a.ts')).toBe('/srv/a.ts');
});

test('a path is shown as it is', () => {
  for (const path of [
    '/app/a b.txt',
    '/app/Café',
    '/app/👩‍💻',
    '/app/❤️',
    '/app/می‌خواهم',
    '/app/क्‍ष',
    '/app/a\\b',
  ])
    expect(oneLinePath(path)).toBe(path);
  expect(oneLinePath('/app/a.txt', 'a.txt')).toBe('a.txt');
});

test('a path that would break its line is shown as a URI', () => {
  for (const mark of ['\n', '\r', '\u001B', '\u0085', '\u2028', '\u2029']) {
    const path = `/app/a${mark}[FILE] b`;
    expect(isOneLine(path)).toBe(false);
    const shown = oneLinePath(path, `a${mark}[FILE] b`);
    expect(isOneLine(shown)).toBe(true);
    expect(parseFileUri(shown, { platform: 'posix' })).toBe(path);
  }
});

test('so is a path with bidirectional, hidden or invisible characters', () => {
  const marks = [
    '\u202E',
    '\u2066',
    '\u200B',
    '\u200D',
    '\uFEFF',
    '\u00AD',
    '\u{E0041}',
    '\uFE0F',
    '\u00A0',
    '\u3164',
  ];
  for (const mark of marks) {
    const path = `/app/gpj${mark}.exe`;
    const shown = oneLinePath(path);
    expect(shown).toMatch(/^file:[ -~]+$/);
    expect(parseFileUri(shown, { platform: 'posix' })).toBe(path);
  }
});

test('sorts the content of a directory right after it', async () => {
  const paths = ['src-old/a', 'src/b', 'src', 'a', 'src/a/z', 'B', 'src-old'];
  expect(await orderPaths(paths)).toEqual(['B', 'a', 'src', 'src/a/z', 'src/b', 'src-old', 'src-old/a']);
});

test('compares by code unit', () => {
  expect([compare('a', 'b'), compare('b', 'a'), compare('a', 'a'), compare('Z', 'a')]).toEqual([
    -1, 1, 0, -1,
  ]);
});

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [1023, '1023 B'],
  [1024, '1.00 KB'],
  [123_456, '120.56 KB'],
  [1024 ** 2 - 1, '1024.00 KB'],
  [1024 ** 2, '1.00 MB'],
  [5 * 1024 ** 3, '5.00 GB'],
  [2048 * 1024 ** 4, '2048.00 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
