import { expect, test } from 'vitest';
import { createTicker } from './progress-ticker.ts';

test('reports soon, and then at most four times a second', () => {
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
    [5, '5 files'],
    [30, '30 files'],
    [55, '55 files'],
    [80, '80 files'],
  ]);
});
