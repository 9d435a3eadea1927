import { expect, test } from 'vitest';
import { fileFilter } from './text-query.ts';

test('without globs every file is wanted', () => {
  expect(fileFilter([])('a/b.ts')).toBe(true);
});

test('a glob names a file', () => {
  const isWanted = fileFilter(['*.ts', '/docs/*.md']);
  expect(isWanted('src/a.ts')).toBe(true);
  expect(isWanted('docs/a.md')).toBe(true);
  expect(isWanted('src/docs/a.md')).toBe(false);
});

test('a glob does not match a directory of that name', () => {
  expect(fileFilter(['src'])('src/a.ts')).toBe(false);
});
