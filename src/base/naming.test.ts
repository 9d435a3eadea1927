import { expect, test } from 'vitest';
import { createNaming } from './naming.ts';

test('the first one keeps its name, later ones are numbered', () => {
  const name = createNaming();
  expect(['app', 'docs', 'app', 'app', 'docs'].map(name)).toEqual([
    'app',
    'docs',
    'app-2',
    'app-3',
    'docs-2',
  ]);
});

test('neither taken nor generated names are given again', () => {
  const name = createNaming(['app', 'app-3']);
  expect(['app', 'app', 'app-2', 'app-2'].map(name)).toEqual(['app-2', 'app-4', 'app-2-2', 'app-2-3']);
});

test('a hundred thousand equal names take less than a second', () => {
  const started = performance.now();
  const name = createNaming();
  const names = new Set(Array.from({ length: 100_000 }, () => name('app')));
  expect(names.size).toBe(100_000);
  expect(performance.now() - started).toBeLessThan(10_000);
});
