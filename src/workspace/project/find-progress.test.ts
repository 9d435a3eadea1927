import { expect, test } from 'vitest';
import { type FindProgress, ProgressReport } from './find-progress.ts';

test('reports at once when asked, and not too often otherwise', () => {
  const reports: FindProgress[] = [];
  const progress = new ProgressReport({
    onProgress: (report) => reports.push(report),
    progressMilliseconds: 60_000,
  });
  progress.tick();
  expect(reports).toEqual([]);
  progress.entries += 7;
  progress.at = 'a/b';
  progress.report();
  progress.tick();
  expect(reports).toEqual([{ directories: 1, entries: 7, projects: 0, at: 'a/b' }]);
});

test('reports every time if there need be no time between', () => {
  let reports = 0;
  const progress = new ProgressReport({ onProgress: () => (reports += 1), progressMilliseconds: 0 });
  progress.tick();
  progress.tick();
  expect(reports).toBe(2);
});

test('counts for nobody, if nobody listens', () => {
  const progress = new ProgressReport({});
  progress.report();
  expect(progress).toMatchObject({ directories: 1, entries: 0, projects: 0, at: '.' });
});
