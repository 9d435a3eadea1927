import { appendFileSync, chmodSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inotifyWatches } from '../../../test/support/processes/inotify-watches.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { type ContentWatch, type ContentWatchOptions, watchContent, watchNames } from './watch-places.ts';

interface Collected {
  readonly watch: ContentWatch;
  readonly seen: readonly string[];
  readonly until: (path: string) => Promise<void>;
}

async function collect(directory: string, options: Partial<ContentWatchOptions> = {}): Promise<Collected> {
  const seen: string[] = [];
  let wake = (): void => {};
  const onChange = (path: string): void => {
    seen.push(path);
    wake();
  };
  const watch = await watchContent(directory, { ignored: () => false, onChange, ...options });
  await watch.ready;
  const until = async (path: string): Promise<void> => {
    while (!seen.includes(path)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { watch, seen, until };
}

test('reports entries that are created, changed, renamed and removed, at any depth', async () => {
  using tree = tempTree(['a/b/c/old']);
  const before = inotifyWatches();
  const { watch, until } = await collect(tree.path);
  expect(inotifyWatches() - before).toBe(4);
  expect(watch.isPolling).toBe(false);
  tree.add('a/new');
  await until('a/new');
  appendFileSync(tree.at('a/b/c/old'), 'x');
  await until('a/b/c/old');
  renameSync(tree.at('a/new'), tree.at('a/newer'));
  await until('a/newer');
  tree.add('x/y/z/f');
  await until('x/y/z/f');
  rmSync(tree.at('x'), { recursive: true });
  await until('x');
  watch.close();
  expect(inotifyWatches()).toBe(before);
});

test('neither watches nor reports ignored paths, and follows no link', async () => {
  using tree = tempTree(['ROOT/node_modules/x/y/', 'ROOT/src/', 'secret/key']);
  symlinkSync('../secret', tree.at('ROOT/out'));
  const before = inotifyWatches();
  const ignored = (path: string): boolean => /(^|\/)node_modules$/.test(path);
  const { watch, seen, until } = await collect(tree.at('ROOT'), { ignored });
  expect(inotifyWatches() - before).toBe(2);
  tree.add('ROOT/node_modules/x/f', 'secret/new', 'ROOT/src/end');
  await until('src/end');
  expect(seen.filter((path) => /node_modules|secret|out\//.test(path))).toEqual([]);
  watch.close();
});

test('of a file reports that file alone', async () => {
  using tree = tempTree(['f = 1', 'beside']);
  const { watch, seen, until } = await collect(tree.at('f'), { kind: 'file' });
  appendFileSync(tree.at('beside'), 'x');
  appendFileSync(tree.at('f'), 'x');
  await until('');
  expect(new Set(seen)).toEqual(new Set(['']));
  watch.close();
});

test('polls on request', async () => {
  using tree = tempTree(['a/']);
  const before = inotifyWatches();
  const { watch, until } = await collect(tree.path, { poll: 20 });
  expect([watch.isPolling, inotifyWatches() - before]).toEqual([true, 0]);
  tree.add('a/f');
  await until('a/f');
  watch.close();
});

test('that is closed at once is ready at once', async () => {
  using tree = tempTree(['a/b/']);
  const watch = await watchContent(tree.path, { onChange: () => {}, ignored: () => false });
  watch.close();
  await expect(watch.ready).resolves.toBeUndefined();
});

/** Waits until a name is told. */
function collectWatchNames(directory: string): {
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

test('reports names that appear, change and disappear', async () => {
  using tree = tempTree(['d/']);
  const { until, close } = collectWatchNames(tree.path);
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

test('reports changes of the directory itself without a name', async () => {
  using tree = tempTree(['d/']);
  const { until, close } = collectWatchNames(tree.at('d'));
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
