import { chmodSync, renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inotifyWatches } from '../../../test/client/inotify-watches.ts';
import { openHandles } from '../../../test/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { watchNames } from './watch-names.ts';

/** Waits until a name is told. */
function collect(directory: string): {
  until: (name: string | undefined) => Promise<void>;
  close: () => void;
} {
  const seen: (string | undefined)[] = [];
  let wake = (): void => {};
  const watch = watchNames(directory, (name) => {
    seen.push(name);
    wake();
  });
  const until = async (name: string | undefined): Promise<void> => {
    while (!seen.includes(name)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    seen.length = 0;
  };
  return { until, close: () => watch.close() };
}

test('tells names that come, change and go', async () => {
  using tree = tempTree(['d/']);
  const { until, close } = collect(tree.path);
  tree.add('new');
  await until('new');
  chmodSync(tree.at('d'), 0o700);
  await until('d');
  renameSync(tree.at('new'), tree.at('newer'));
  await until('newer');
  rmSync(tree.at('d'), { recursive: true });
  await until('d');
  close();
  expect(openHandles(tree.path)).toEqual([]);
});

test('tells what happens to the directory itself as no name', async () => {
  using tree = tempTree(['d/']);
  const { until, close } = collect(tree.at('d'));
  renameSync(tree.at('d'), tree.at('e'));
  await until(undefined);
  close();
  expect(openHandles(tree.path)).toEqual([]);
});

test.each([
  ['none', 'NOT_FOUND'],
  ['f', 'NOT_A_DIRECTORY'],
])('refuses %s with %s', (name, code) => {
  using tree = tempTree(['f']);
  const before = inotifyWatches();
  expect(() => watchNames(tree.at(name), () => {})).toThrow(expect.objectContaining({ code }));
  expect(inotifyWatches()).toBe(before);
});
