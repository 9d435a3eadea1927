import { expect, test } from 'vitest';
import { type FindProgress, ProgressReport } from './find-progress.ts';

test('reports where it is, but not too often', () => {
  const told: FindProgress[] = [];
  const report = new ProgressReport({
    onProgress: (progress) => told.push(progress),
    progressMilliseconds: 60_000,
  });
  report.entries += 3;
  report.at = 'a/b';
  for (let count = 0; count < 1_000; count += 1) report.tick();
  expect(told).toEqual([]);
  report.report();
  expect(told).toEqual([{ directories: 1, entries: 3, projects: 0, at: 'a/b' }]);
});

test('reports every time if it may', () => {
  let told = 0;
  const report = new ProgressReport({ onProgress: () => (told += 1), progressMilliseconds: 0 });
  report.tick();
  report.tick();
  expect(told).toBe(2);
});
