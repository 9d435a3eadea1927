import { expect, test } from 'vitest';
import { prunedDirectories } from './pruned-directories.ts';

test('every name stands there once, and is one name', () => {
  expect(new Set(prunedDirectories).size).toBe(prunedDirectories.length);
  expect(prunedDirectories.filter((name) => name === '' || /[\\/]/.test(name))).toEqual([]);
});

test.each([
  'node_modules',
  'target',
  '.git',
  'dist',
  'build',
  '.venv',
  'venv',
  '__pycache__',
  'vendor',
  '.gradle',
  '.idea',
])('%s is pruned', (name) => {
  expect(prunedDirectories).toContain(name);
});
