import { expect, test } from 'vitest';
import { prunedDirectories } from './pruned-directories.ts';

test('names what nobody works in, each once and without a path', () => {
  expect(prunedDirectories).toEqual(
    expect.arrayContaining(['node_modules', 'target', '.git', '.venv', 'dist']),
  );
  expect(new Set(prunedDirectories).size).toBe(prunedDirectories.length);
  expect(prunedDirectories.filter((name) => /[\\/]/.test(name))).toEqual([]);
});
