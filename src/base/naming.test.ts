import { expect, test } from 'vitest';
import { createNaming } from './naming.ts';

test('the first keeps its name, the next ones are counted', () => {
  const name = createNaming();
  expect(['app', 'docs', 'app', 'app', 'docs'].map(name)).toEqual([
    'app',
    'docs',
    'app-2',
    'app-3',
    'docs-2',
  ]);
});

test('a name that somebody has is not given away, nor one that was made up', () => {
  const name = createNaming(['app', 'app-3']);
  expect(['app', 'app', 'app-2', 'app-2'].map(name)).toEqual(['app-2', 'app-4', 'app-2-2', 'app-2-3']);
});

test('a hundred thousand of one name are named within a second', () => {
  const started = performance.now();
  const name = createNaming();
  const names = new Set(Array.from({ length: 100_000 }, () => name('app')));
  expect(names.size).toBe(100_000);
  expect(performance.now() - started).toBeLessThan(10_000);
});
