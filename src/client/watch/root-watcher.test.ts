import { once } from 'node:events';
import { chmodSync, closeSync, constants, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { inotifyWatches } from '../../../test/support/processes/inotify-watches.ts';
import { bindMount, emptyMount, mayMount } from '../../../test/support/trees/mounting.ts';
import { recordStatuses, rootsAt } from '../../../test/support/peers/record-statuses.ts';
import { mayLimitWatches, startWatcher } from '../../../test/support/processes/start-watcher.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { watchRoots } from './watch-roots.ts';

describe.runIf(mayMount())('a root on a mount (skipped where this user may not mount)', () => {
  test('is unmounted, and returns with the mount; the watch does not block unmounting', async () => {
    using tree = tempTree(['disk/app/', 'media/']);
    const disk = bindMount(tree.at('disk'), tree.at('media'));
    await using recorded = await recordStatuses([tree.at('media/app')]);
    expect(recorded.watch.statuses[0]?.state).toBe('available');
    disk[Symbol.dispose]();
    const { reason } = await recorded.record.state('unmounted');
    expect(reason).toBe('its file system is not mounted');
    using again = bindMount(tree.at('disk'), tree.at('media'));
    expect((await recorded.record.state('returned')).usable).toBe(true);
    await recorded.watch.close();
    again[Symbol.dispose]();
  });

  test('is unmounted even if it is the mount point, which remains as an empty directory', async () => {
    using tree = tempTree(['media/']);
    const disk = emptyMount(tree.at('media'));
    await using recorded = await recordStatuses([tree.at('media')]);
    disk[Symbol.dispose]();
    await recorded.record.state('unmounted');
    expect(recorded.record.statuses.map(({ state }) => state)).toEqual(['available', 'unmounted']);
  });

  test('is missing, not unmounted, when it is deleted on a mount that stays', async () => {
    using tree = tempTree(['disk/app/', 'media/']);
    using disk = bindMount(tree.at('disk'), tree.at('media'));
    await using recorded = await recordStatuses([tree.at('media/app')]);
    rmSync(tree.at('media/app'), { recursive: true });
    expect((await recorded.record.state('missing')).reason).toBe('it does not exist');
    await recorded.watch.close();
    disk[Symbol.dispose]();
  });
});

const isRoot = process.getuid?.() === 0;

/** A tree that every user may read. */
function openTree(entries: readonly string[]): TempTree {
  const tree = tempTree(entries);
  chmodSync(tree.path, 0o755);
  return tree;
}

// Root may read everything, so a process of another user looks; only root can start one.
describe.runIf(isRoot)('a root whose permission is lost (as another user: needs root)', () => {
  const nobody = 65_534;

  test('is reported, and returns with the permission', async () => {
    using tree = openTree(['app/f']);
    await using watcher = await startWatcher([tree.at('app')], { uid: nobody });
    await watcher.until(({ state }) => state === 'available');
    chmodSync(tree.at('app'), 0o700);
    expect(await watcher.until(({ state }) => state === 'no-permission')).toMatchObject({ usable: false });
    chmodSync(tree.at('app'), 0o755);
    await watcher.until(({ state }) => state === 'returned');
  });

  test('is reported when a directory above it is closed', async () => {
    using tree = openTree(['home/app/f']);
    await using watcher = await startWatcher([tree.at('home/app')], { uid: nobody });
    await watcher.until(({ state }) => state === 'available');
    chmodSync(tree.at('home'), 0o700);
    await watcher.until(({ state }) => state === 'no-permission');
    chmodSync(tree.at('home'), 0o755);
    expect(await watcher.until(({ state }) => state === 'returned')).toMatchObject({ usable: true });
  });

  test('is polled if the directory above it may be entered but not read', async () => {
    using tree = openTree(['home/app/f']);
    chmodSync(tree.at('home'), 0o711);
    await using watcher = await startWatcher([tree.at('home/app')], { uid: nobody });
    await watcher.until(({ state }) => state === 'available');
    expect(watcher.record.issues.map(({ code, message }) => [code, message.replace(/".*"/, '…')])).toEqual([
      ['polled', 'Be careful with root …: a directory above it cannot be watched'],
    ]);
    rmSync(tree.at('home/app'), { recursive: true });
    await watcher.until(({ state }) => state === 'missing');
  });
});

describe.runIf(mayLimitWatches())('if the system has no watches left (needs a user namespace)', () => {
  test('roots are polled, and one issue reports it', async () => {
    using tree = tempTree(['a/one/', 'b/two/', 'c/three/']);
    const paths = ['a/one', 'b/two', 'c/three'].map((path) => tree.at(path));
    await using watcher = await startWatcher(paths, { watches: 4 });
    expect(watcher.record.statuses.map(({ state }) => state)).toEqual([
      'available',
      'available',
      'available',
    ]);
    expect(watcher.record.issues.map(({ code, hint }) => [code, hint])).toEqual([
      ['polled', 'Raise the limit, such as fs.inotify.max_user_watches, or watch less'],
    ]);
    for (const path of paths) {
      rmSync(path, { recursive: true });
      await watcher.until(({ state, root }) => state === 'missing' && root.path === path);
      mkdirSync(path);
      await watcher.until(({ state, root }) => state === 'returned' && root.path === path);
    }
    expect(await watcher.end()).toBe(0);
  });

  test('content is polled too, and an issue reports it', async () => {
    using tree = tempTree(['app/a/b/c/d/e/f/g/h/']);
    await using watcher = await startWatcher([tree.at('app')], { watches: 8, content: true });
    await watcher.record.until(watcher.record.issues, ({ code }) => code === 'polled');
    expect(await watcher.end()).toBe(0);
  });
});

describe('its intervals', () => {
  test('are two timers that end with the watch', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      using tree = tempTree(['app/']);
      await using watch = watchRoots(rootsAt(tree.at('app')));
      await watch.ready;
      expect(vi.getTimerCount()).toBe(2);
      await watch.close();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test.runIf(mayMount())('notice a mount (needs to mount)', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      using tree = tempTree(['disk/app/', 'media/']);
      await using recorded = await recordStatuses([tree.at('media/app')], { mountMilliseconds: 2_000 });
      using disk = bindMount(tree.at('disk'), tree.at('media'));
      vi.advanceTimersByTime(1_999);
      expect(recorded.record.statuses.map(({ state }) => state)).toEqual(['missing']);
      vi.advanceTimersByTime(1);
      await recorded.record.state('returned');
      await recorded.watch.close();
      disk[Symbol.dispose]();
    } finally {
      vi.useRealTimers();
    }
  });
});

test('a process that is blocked for a while does not report its own disk as gone', async () => {
  using tree = tempTree(['app/', 'pipe|']);
  await using recorded = await recordStatuses([tree.at('app')], { lookMilliseconds: 1_000 });
  // Every thread that could look waits for the other end of a FIFO.
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
  const stuck = Array.from({ length: threads }, () => open(tree.at('pipe'), 'r'));
  await recorded.watch.look();
  await recorded.watch.look();
  const states = recorded.watch.statuses.map(({ state }) => state);
  const writer = openSync(tree.at('pipe'), constants.O_RDWR | constants.O_NONBLOCK);
  for (const file of await Promise.all(stuck)) await file.close();
  closeSync(writer);
  expect(states).toEqual(['available']);
  rmSync(tree.at('app'), { recursive: true });
  await recorded.record.state('missing');
});

describe('hundreds of roots', () => {
  const names = Array.from({ length: 300 }, (_, count) => `root-${count}`);

  test('in one directory need few more watches than roots, and no handles', { timeout: 60_000 }, async () => {
    using tree = tempTree(names.map((name) => `${name}/`));
    await using recorded = await recordStatuses(names.map((name) => tree.at(name)));
    const above = tree.path.split('/').length;
    expect(recorded.watch.directories).toBe(300 + above);
    expect(recorded.watch.statuses.filter(({ usable }) => usable)).toHaveLength(300);
    // A look at a root may be under way, and holds it for a moment.
    await expect.poll(() => openHandles(tree.path)).toEqual([]);
    rmSync(tree.at('root-77'), { recursive: true });
    await recorded.record.state('missing', tree.at('root-77'));
    renameSync(tree.path, `${tree.path}-moved`);
    await recorded.record.state('missing', tree.at('root-299'));
    renameSync(`${tree.path}-moved`, tree.path);
    await recorded.record.state('returned', tree.at('root-299'));
    await recorded.watch.look();
    expect(recorded.watch.statuses.filter(({ usable }) => usable)).toHaveLength(299);
  });
});

describe('closing a watch', () => {
  test('leaves no watch and no handle, and reports nothing more', async () => {
    using tree = tempTree(['app/src/']);
    const before = inotifyWatches();
    const recorded = await recordStatuses([tree.at('app')], {
      content: { onContent: () => {} },
    });
    rmSync(tree.at('app'), { recursive: true });
    const told = recorded.record.statuses.length;
    await recorded.watch.close();
    await recorded.watch.close();
    expect(inotifyWatches()).toBe(before);
    expect(openHandles(tree.path)).toEqual([]);
    expect(recorded.record.statuses).toHaveLength(told);
    await recorded.watch.add(rootsAt(tree.path));
    expect(recorded.watch.status(tree.path)).toBeUndefined();
  });

  test('leaves nothing that keeps a process alive', async () => {
    using tree = tempTree(['app/src/', 'gone/']);
    await using watcher = await startWatcher([tree.at('app'), tree.at('gone')], { content: true });
    rmSync(tree.at('gone'), { recursive: true });
    tree.add('app/src/f');
    await watcher.until(({ state }) => state === 'missing');
    expect(await watcher.end()).toBe(0);
  });

  test('happens with its signal', async () => {
    using tree = tempTree(['app/']);
    const controller = new AbortController();
    const before = inotifyWatches();
    const recorded = await recordStatuses([tree.at('app')], { signal: controller.signal });
    controller.abort();
    await recorded.watch.close();
    expect(inotifyWatches()).toBe(before);
    const late = watchRoots(rootsAt(tree.at('app')), { signal: AbortSignal.abort() });
    await late.ready;
    expect(late.statuses).toEqual([]);
    await late.close();
    expect(inotifyWatches()).toBe(before);
  });

  test('is not needed for the process to end', async () => {
    using tree = tempTree(['app/']);
    await using watcher = await startWatcher([tree.at('app')]);
    const exited = once(watcher.child, 'exit');
    watcher.child.disconnect();
    expect(await exited).toEqual([0, null]);
  });
});

test('a listener that throws does not end the watch', async () => {
  using tree = tempTree(['app/']);
  const thrown = once(process, 'uncaughtException');
  const listeners = process.rawListeners('uncaughtException').slice(0, -1) as ((error: Error) => void)[];
  for (const listener of listeners) process.removeListener('uncaughtException', listener);
  try {
    let states: readonly string[] = [];
    const watch = watchRoots(rootsAt(tree.at('app')), {
      onChange({ state }) {
        states = [...states, state];
        throw new Error('of the host');
      },
    });
    await watch.ready;
    expect(String((await thrown)[0])).toMatch('of the host');
    expect(states).toEqual(['available']);
    expect(watch.statuses[0]?.state).toBe('available');
    await watch.close();
  } finally {
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
});
