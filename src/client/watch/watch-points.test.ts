import { mkdirSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inotifyWatches } from '../../../test/support/processes/inotify-watches.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { interestsOf, WatchPoints } from './watch-points.ts';

/** Watch points, and the keys that are touched next. */
function touched(): { points: WatchPoints; next: () => Promise<readonly string[]> } {
  const seen: (readonly string[])[] = [];
  let wake = (): void => {};
  const points = new WatchPoints((keys) => {
    seen.push([...keys].toSorted());
    wake();
  });
  const next = async (): Promise<readonly string[]> => {
    for (;;) {
      const keys = seen.shift();
      if (keys !== undefined) return keys;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { points, next };
}

test('one watch serves all interests in a directory, and closes with the last one', () => {
  using tree = tempTree();
  const before = inotifyWatches();
  const { points } = touched();
  points.set('one', [{ directory: tree.path, name: 'a' }]);
  points.set('two', [{ directory: tree.path, name: 'b' }]);
  expect([points.size, inotifyWatches() - before]).toEqual([1, 1]);
  points.delete('one');
  expect(points.size).toBe(1);
  points.delete('two');
  expect([points.size, inotifyWatches() - before]).toEqual([0, 0]);
});

test('reports to the keys that asked about that name', async () => {
  using tree = tempTree();
  const { points, next } = touched();
  points.set('a', [{ directory: tree.path, name: 'a' }]);
  points.set('both', [
    { directory: tree.path, name: 'a' },
    { directory: tree.path, name: 'b' },
  ]);
  points.set('long', [{ directory: tree.path, name: (name) => name.length > 1 }]);
  tree.add('other = 1');
  expect(await next()).toEqual(['long']);
  mkdirSync(tree.at('b'));
  let keys = await next();
  while (keys.includes('long')) keys = await next();
  expect(keys).toEqual(['both']);
  points.close();
});

test('a renamed directory is watched under its old name, not at its new place', async () => {
  using tree = tempTree(['a/b/']);
  const { points, next } = touched();
  const interests = [
    { directory: tree.path, name: 'a' },
    { directory: tree.at('a'), name: 'b' },
  ];
  points.set('key', interests);
  renameSync(tree.at('a'), tree.at('z'));
  await next();
  expect(points.size).toBe(1);
  mkdirSync(tree.at('a'));
  await next();
  points.set('key', interests);
  expect(points.size).toBe(2);
  mkdirSync(tree.at('a/b'));
  expect(await next()).toEqual(['key']);
  points.close();
});

test('a missing directory needs no watch', () => {
  using tree = tempTree(['file']);
  const { points } = touched();
  expect(points.set('key', [{ directory: tree.at('none'), name: 'a' }])).toBeUndefined();
  expect(points.set('key', [{ directory: tree.at('file'), name: 'a' }])).toBeUndefined();
  expect(points.size).toBe(0);
});

test('every name in a path counts', () => {
  expect(interestsOf('/a/b/c')).toEqual([
    { directory: '/a/b', name: 'c' },
    { directory: '/a', name: 'b' },
    { directory: '/', name: 'a' },
  ]);
  expect(interestsOf('/')).toEqual([]);
});
