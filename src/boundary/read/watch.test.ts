import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { drivers } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { openBoundary, openWith } from '../open-boundary.ts';
import type { WatchEvent, WatchOptions } from './watch.ts';

/** Ends a watch that waits for what never comes. */
function bounded(options: WatchOptions = {}): WatchOptions {
  return { ...options, signal: AbortSignal.timeout(30_000) };
}

/** Reads on until an event comes; gives all that came, with it as the last. */
async function until(events: AsyncIterator<WatchEvent>, wanted: string): Promise<readonly string[]> {
  const seen: string[] = [];
  while (seen.at(-1) !== wanted) {
    const { done, value } = await events.next();
    if (done === true) throw new Error(`${wanted} did not come, but: ${seen.slice(-10).join(', ')}`);
    seen.push(`${value.kind} ${value.path}`.trimEnd());
  }
  return seen;
}

/** Touches a file below a directory until that is noticed: from then on it is watched. */
async function untilWatched(events: AsyncIterator<WatchEvent>, tree: TempTree, path: string): Promise<void> {
  const touching = setInterval(() => writeFileSync(tree.at(path, 'probe'), ''), 5);
  try {
    await until(events, `rename ${path}/probe`);
  } finally {
    clearInterval(touching);
  }
}

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('sees what is created, changed, renamed and removed', async () => {
    using tree = tempTree();
    await using boundary = openWith(driver, tree.path, {});
    const events = boundary.watch('.', bounded());
    tree.add('f');
    await until(events, 'rename f');
    writeFileSync(tree.at('f'), 'changed');
    await until(events, 'change f');
    renameSync(tree.at('f'), tree.at('g'));
    expect(await until(events, 'rename g')).toContain('rename f');
    unlinkSync(tree.at('g'));
    await until(events, 'rename g');
    await events.return?.();
  });

  test('reports real paths from the root', async () => {
    using tree = tempTree(['a/b/', 'link => a/b']);
    await using boundary = openWith(driver, tree.path, {});
    const events = boundary.watch('link', bounded());
    tree.add('a/b/f');
    expect(await until(events, 'rename a/b/f')).toHaveLength(1);
    await events.return?.();
  });

  test('does not watch directories below by default', async () => {
    using tree = tempTree(['d/']);
    await using boundary = openWith(driver, tree.path, {});
    const events = boundary.watch('.', bounded());
    tree.add('d/below', 'end');
    expect(await until(events, 'rename end')).not.toContain('rename d/below');
    await events.return?.();
  });

  test.each([
    ['f', 'NOT_A_DIRECTORY'],
    ['missing', 'NOT_FOUND'],
    ['out', 'OUTSIDE_ROOTS'],
  ])('refuses %s with %s, and holds nothing', async (path, code) => {
    using tree = tempTree(['f', 'out => ..']);
    await using boundary = openWith(driver, tree.path, {});
    const before = openHandles(tree.path);
    expect(() => boundary.watch(path)).toThrow(expect.objectContaining({ code }));
    expect(openHandles(tree.path)).toEqual(before);
  });
});

describe('a recursive watch', () => {
  test('sees directories that are there', async () => {
    using tree = tempTree(['a/b/c/']);
    await using boundary = await openBoundary(tree.path);
    const events = boundary.watch('.', bounded({ recursive: true }));
    await untilWatched(events, tree, 'a/b/c');
    tree.add('a/b/f');
    expect(await until(events, 'rename a/b/f')).not.toContain('rename a/b');
    await events.return?.();
  });

  test('sees directories that are created later, with their content', async () => {
    using tree = tempTree(['elsewhere/x/y/f', 'ROOT/']);
    await using boundary = await openBoundary(tree.at('ROOT'));
    const events = boundary.watch('.', bounded({ recursive: true }));
    renameSync(tree.at('elsewhere', 'x'), tree.at('ROOT', 'x'));
    expect(await until(events, 'rename x/y/f')).toEqual(expect.arrayContaining(['rename x', 'rename x/y']));
    tree.add('ROOT/x/y/new');
    await until(events, 'rename x/y/new');
    tree.add('ROOT/x/z/deep/f');
    await until(events, 'rename x/z/deep/f');
    await events.return?.();
  });

  test('sees a directory that took the name of another', async () => {
    using tree = tempTree(['ROOT/d/old', 'elsewhere/d/']);
    await using boundary = await openBoundary(tree.at('ROOT'));
    const events = boundary.watch('.', bounded({ recursive: true }));
    rmSync(tree.at('ROOT', 'd'), { recursive: true });
    await until(events, 'rename d');
    renameSync(tree.at('elsewhere', 'd'), tree.at('ROOT', 'd'));
    await until(events, 'rename d');
    tree.add('ROOT/d/new');
    expect(await until(events, 'rename d/new')).not.toContain('overflow');
    await events.return?.();
  });

  test('follows no link', async () => {
    using tree = tempTree(['ROOT/', 'ROOT/d/f', 'secret/key']);
    await using boundary = await openBoundary(tree.at('ROOT'));
    const events = boundary.watch('.', bounded({ recursive: true }));
    await untilWatched(events, { ...tree, at: (...names) => tree.at('ROOT', ...names) }, 'd');
    tree.add('ROOT/out => ../secret', 'ROOT/in => d');
    await until(events, 'rename in');
    tree.add('secret/new', 'ROOT/end');
    const seen = await until(events, 'rename end');
    expect(seen.filter((event) => /secret|out\/|in\/|d\/f/.test(event))).toEqual([]);
    await events.return?.();
  });

  test('watches no more directories than allowed, and reports an overflow', async () => {
    using tree = tempTree(['a/', 'b/', 'c/']);
    await using boundary = await openBoundary(tree.path);
    const events = boundary.watch('.', bounded({ recursive: true, directories: 2 }));
    expect(await until(events, 'overflow')).toEqual(['overflow']);
    await events.return?.();
  });
});

describe('what is not reported', () => {
  test('what the globs leave out', async () => {
    using tree = tempTree(['node_modules/', 'src/']);
    await using boundary = await openBoundary(tree.path);
    const events = boundary.watch('.', bounded({ recursive: true, ignore: ['node_modules', '*.log'] }));
    await untilWatched(events, tree, 'src');
    tree.add('node_modules/x', 'src/a.log', 'src/end');
    const seen = await until(events, 'rename src/end');
    expect(seen.filter((event) => /node_modules|log/.test(event))).toEqual([]);
    await events.return?.();
  });

  test('what the guard hides', async () => {
    using tree = tempTree(['secret/']);
    await using boundary = await openBoundary(tree.path, {
      guard: (_operation, relative) => (/^secret|\.env$/.test(relative) ? new Error('no') : undefined),
    });
    const events = boundary.watch('.', bounded({ recursive: true }));
    tree.add('secret/key', '.env', 'new/.env', 'new/end');
    const seen = await until(events, 'rename new/end');
    expect(seen.filter((event) => /secret|env/.test(event))).toEqual([]);
    expect(() => boundary.watch('secret')).toThrow('no');
    await events.return?.();
  });

  // The system reports these with the last name of the watched path, which here is a number.
  test('events of the directory itself, which have no name', async () => {
    using tree = tempTree(['d/sub/f']);
    await using boundary = await openBoundary(tree.path);
    const events = boundary.watch('d', bounded({ recursive: true }));
    await untilWatched(events, tree, 'd/sub');
    chmodSync(tree.at('d', 'sub'), 0o700);
    chmodSync(tree.at('d'), 0o700);
    rmSync(tree.at('d', 'sub'), { recursive: true });
    renameSync(tree.at('d'), tree.at('moved'));
    tree.add('moved/end');
    const seen = await until(events, 'rename d/end');
    expect(seen.filter((event) => !/ d\/(sub(\/(f|probe))?|end)$/.test(event))).toEqual([]);
    await events.return?.();
  });
});

test('a slow reader gets one overflow, and the queue stays bounded', async () => {
  using tree = tempTree(['a', 'b']);
  await using boundary = await openBoundary(tree.path);
  const events = boundary.watch('.', bounded());
  const files = [openSync(tree.at('a'), 'a'), openSync(tree.at('b'), 'a')];
  // Alternates between two files, because the system merges equal events.
  for (let count = 0; count < 5_500; count += 1) for (const fd of files) writeSync(fd, 'x');
  for (const fd of files) closeSync(fd);
  await turns();
  const seen = await until(events, 'overflow');
  expect(seen).toHaveLength(10_001);
  tree.add('end');
  expect((await until(events, 'rename end')).filter((event) => event === 'overflow')).toEqual([]);
  await events.return?.();
});

describe('a watch ends', () => {
  test('when its signal aborts', async () => {
    using tree = tempTree(['d/']);
    await using boundary = await openBoundary(tree.path);
    const before = watched();
    const controller = new AbortController();
    const events = boundary.watch('.', { recursive: true, signal: controller.signal });
    const next = events.next();
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(watched()).toBe(before);
  });

  test('at once, if its signal was aborted before', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    const before = watched();
    const events = boundary.watch('.', { signal: AbortSignal.abort() });
    expect(watched()).toBe(before);
    expect((await events.next()).done).toBe(true);
  });

  test('when the loop is left', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    const before = watched();
    const events = boundary.watch('.', bounded());
    tree.add('f');
    for await (const event of events) {
      expect(event).toEqual({ kind: 'rename', path: 'f' });
      break;
    }
    await turns();
    expect(watched()).toBe(before);
  });

  test('when the boundary is closed, and does not keep it open', async () => {
    using tree = tempTree(['d/']);
    const boundary = await openBoundary(tree.path);
    const before = watched();
    const next = boundary.watch('.', { recursive: true }).next();
    await boundary.close();
    expect((await next).done).toBe(true);
    expect(watched()).toBe(before);
    expect(openHandles(tree.path)).toEqual([]);
  });

  test('before it begins, where the boundary is closed', async () => {
    using tree = tempTree();
    const boundary = await openBoundary(tree.path);
    await boundary.close();
    expect(() => boundary.watch('.')).toThrow(expect.objectContaining({ code: 'CLOSED' }));
  });
});

/** Lets the system tell what it has to tell. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
}

/** How many directories this process watches, on Linux; elsewhere nothing is known. */
function watched(): number {
  if (process.platform !== 'linux') return 0;
  return readdirSync('/proc/self/fd').reduce((sum, fd) => sum + watchesOf(fd), 0);
}

function watchesOf(fd: string): number {
  try {
    if (readlinkSync(`/proc/self/fd/${fd}`) !== 'anon_inode:inotify') return 0;
    return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').match(/^inotify /gm)?.length ?? 0;
  } catch {
    // The descriptor that listed the others is gone by now.
    return 0;
  }
}

test('closes its watches even if no event was ever requested', async () => {
  using tree = tempTree(['d/']);
  await using boundary = await openBoundary(tree.path);
  const watches = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
  const before = watches();
  const watch = boundary.watch('.', { recursive: true });
  await watch.return?.();
  expect(await watch.next()).toEqual({ done: true, value: undefined });
  expect(watches()).toBe(before);
});
