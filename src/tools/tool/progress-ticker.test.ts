import { truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { buildConfig } from '../project/build-config.ts';
import { copyFile } from '../files/copy-file.ts';
import { createTicker } from './progress-ticker.ts';
import { removeFile } from '../files/remove-file.ts';

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

test('goes up with every report, also where something else begins anew', () => {
  let time = 0;
  const reports: number[] = [];
  const tick = createTicker({ progress: (done) => void reports.push(done) }, () => (time += 260));
  for (const done of [5, 7, 0, 1, 20]) tick(done, '');
  expect(reports).toEqual([5, 7, 8, 9, 20]);
});

describe('with a clock that runs fast', () => {
  beforeEach(() => {
    let time = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (time += 260));
  });

  afterEach(() => vi.restoreAllMocks());

  test('a copy tells how much of it is done', async () => {
    using tree = tempTree(['app/large']);
    truncateSync(tree.at('app/large'), 3 * 1_048_576);
    await using call = await openToolCall([tree.at('app')]);
    await call.run(copyFile, { source: 'large', destination: 'copy' });
    expect(call.reports).toContain('2.00 MB of 3.00 MB');
  });

  test('the removal of a tree tells how much is gone', async () => {
    using tree = tempTree(['app/sub/a', 'app/sub/b', 'app/sub/deep/c']);
    await using call = await openToolCall([tree.at('app')]);
    await call.run(removeFile, { path: 'sub', recursive: true });
    expect(call.reports).toEqual([2, 3, 4, 5].map((count) => `${count} entries removed`));
  });

  test('the search for build commands tells how many projects it has looked into', async () => {
    using tree = tempTree([
      'app/Makefile = all:\n',
      'app/one/package.json = {}',
      'app/two/package.json = {}',
    ]);
    await using call = await openToolCall([tree.at('app')]);
    await call.run(buildConfig);
    expect(call.reports).toContain('2 of 3 projects looked into');
  });
});
