import { expect, test } from 'vitest';
import { createTicker } from './progress-ticker.ts';

test('reports at most four times a second', () => {
  const reports: (readonly [number, string | undefined])[] = [];
  let time = 0;
  const tick = createTicker(
    { progress: (done, _total, message) => void reports.push([done, message]) },
    () => time,
  );
  for (let done = 1; done <= 100; done += 1) {
    time += 10;
    tick(done, `${done} files`);
  }
  expect(reports).toEqual([
    [25, '25 files'],
    [50, '50 files'],
    [75, '75 files'],
    [100, '100 files'],
  ]);
});
