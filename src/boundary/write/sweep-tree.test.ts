import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';
import type { SweepOptions, TreeSweep } from './sweep-tree.ts';
import { temporaryName } from '../read/temporary-name.ts';

/** A process that has ended: its number is free. */
const dead = spawnSync(process.execPath, ['-e', '']).pid;

/** A name as a process has given it. */
function nameOf(pid: number): string {
  const name = temporaryName();
  return `${name.slice(0, 16)}${pid.toString(16).padStart(6, '0')}${name.slice(22)}`;
}

/** Leaves half a file. */
function leave(tree: TempTree, directory: string, pid = dead): string {
  const name = nameOf(pid);
  writeFileSync(tree.at(directory, name), 'half');
  return name;
}

async function sweep(tree: TempTree, options: Partial<SweepOptions> = {}): Promise<TreeSweep> {
  await using boundary = await openBoundary(tree.path);
  return await boundary.sweep({ mayRemove: () => true, ...options });
}

test('removes leftovers of killed writers, at any depth', async () => {
  using tree = tempTree(['a/b/c/file.txt', 'top.txt']);
  for (const directory of ['.', 'a', 'a/b/c']) leave(tree, directory);
  expect(await sweep(tree)).toEqual({ removed: 3, stopped: undefined });
  expect(readdirSync(tree.path).toSorted()).toEqual(['a', 'top.txt']);
  expect(readdirSync(tree.at('a/b/c'))).toEqual(['file.txt']);
});

test('leaves files of living processes, and files with other names', async () => {
  using tree = tempTree(['a/.rootward-notes.tmp', 'a/b.tmp']);
  const living = [leave(tree, 'a', process.pid), leave(tree, 'a', process.ppid)];
  tree.add(`a/${nameOf(dead)}/`, `a/${nameOf(dead)} => b.tmp`);
  const before = readdirSync(tree.at('a')).toSorted();
  expect(await sweep(tree)).toMatchObject({ removed: 0 });
  expect(readdirSync(tree.at('a')).toSorted()).toEqual(before);
  expect(before).toEqual(expect.arrayContaining(living));
});

test('a file with our process id that is older than this process is a leftover', async () => {
  using tree = tempTree(['a/']);
  const old = leave(tree, 'a', process.pid);
  const now = leave(tree, 'a', process.pid);
  const earlier = performance.timeOrigin / 1_000 - 60;
  utimesSync(tree.at('a', old), earlier, earlier);
  expect(await sweep(tree)).toMatchObject({ removed: 1 });
  expect(readdirSync(tree.at('a'))).toEqual([now]);
});

test('asks about each leftover, by its path from the root, and leaves those it may not remove', async () => {
  using tree = tempTree(['a/', 'b/']);
  const [kept, gone] = [leave(tree, 'a'), leave(tree, 'b')];
  const asked: string[] = [];
  const mayRemove = async (path: string): Promise<boolean> => {
    asked.push(path);
    return path.startsWith('b/');
  };
  expect(await sweep(tree, { mayRemove })).toMatchObject({ removed: 1 });
  expect(asked.toSorted()).toEqual([`a/${kept}`, `b/${gone}`]);
  expect([readdirSync(tree.at('a')), readdirSync(tree.at('b'))]).toEqual([[kept], []]);
});

test('enters no directory that is left out, and follows no link', async () => {
  using tree = tempTree(['node_modules/x/', 'outside/', 'root/link => ../outside', 'root/node_modules/']);
  const [pruned, outside] = [leave(tree, 'root/node_modules'), leave(tree, 'outside')];
  await using boundary = await openBoundary(tree.at('root'));
  const swept = await boundary.sweep({ mayRemove: () => true, prune: new Set(['node_modules']) });
  expect(swept).toMatchObject({ removed: 0 });
  expect(readdirSync(tree.at('root/node_modules'))).toEqual([pruned]);
  expect(readdirSync(tree.at('outside'))).toEqual([outside]);
});

test('stops at its limits, and reports them', async () => {
  using tree = tempTree(Array.from({ length: 20 }, (_, index) => `dir${index}/file.txt`));
  expect(await sweep(tree, { entries: 10 })).toEqual({ removed: 0, stopped: 'entries' });
});

test('leftovers count towards the limits', async () => {
  using tree = tempTree(['a/']);
  for (let count = 0; count < 20; count += 1) leave(tree, 'a');
  expect(await sweep(tree, { entries: 11 })).toEqual({ removed: 10, stopped: 'entries' });
  expect(readdirSync(tree.at('a'))).toHaveLength(10);
});

/** Takes longer than a piece of work should. */
function linger(): void {
  for (const end = performance.now() + 5; performance.now() < end;);
}

test('other work runs while many are removed: there is a rest after each piece of work', async () => {
  using tree = tempTree(['a/']);
  for (let count = 0; count < 20; count += 1) leave(tree, 'a');
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 1);
  const seen: number[] = [];
  const mayRemove = (): boolean => {
    seen.push(turns);
    linger();
    return true;
  };
  expect(await sweep(tree, { mayRemove })).toEqual({ removed: 20, stopped: undefined });
  clearInterval(ticking);
  expect(new Set(seen).size).toBe(20);
});

test('its time limit also applies while it removes', async () => {
  using tree = tempTree(['a/']);
  for (let count = 0; count < 20; count += 1) leave(tree, 'a');
  const mayRemove = (): boolean => {
    linger();
    return true;
  };
  const { removed, stopped } = await sweep(tree, { mayRemove, milliseconds: 40 });
  expect(stopped).toBe('time');
  expect(removed).toBeLessThan(20);
  expect(readdirSync(tree.at('a'))).toHaveLength(20 - removed);
});

test('a signal ends it at once', async () => {
  using tree = tempTree(['a/', 'b/']);
  const left = ['a', 'b'].map((directory) => `${directory}/${leave(tree, directory)}`);
  const ending = new AbortController();
  const asked: string[] = [];
  await using boundary = await openBoundary(tree.path);
  const swept = boundary.sweep({
    signal: ending.signal,
    mayRemove(path) {
      asked.push(path);
      ending.abort();
      return false;
    },
  });
  await expect(swept).rejects.toMatchObject({ name: 'AbortError' });
  expect(asked).toHaveLength(1);
  for (const path of left) expect(existsSync(tree.at(path))).toBe(true);
});

test('an aborted signal keeps it from starting', async () => {
  using tree = tempTree(['a/']);
  leave(tree, 'a');
  const mayRemove = (): boolean => expect.unreachable('nothing was to be looked at');
  const swept = sweep(tree, { mayRemove, signal: AbortSignal.abort() });
  await expect(swept).rejects.toMatchObject({ name: 'AbortError' });
});
