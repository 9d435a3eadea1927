import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { heard, pairs } from '../../../test/support/peers/client-pairs.ts';
import { recordStatuses, rootsAt } from '../../../test/support/peers/record-statuses.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { expose } from '../expose/expose.ts';
import { openRootStore } from '../store/open-root-store.ts';
import { watchStore } from './watch-roots.ts';

describe('seed 004, DynamicRootManager: roots at run time', () => {
  test('addRoot watches one more, and reports its state', async () => {
    using tree = tempTree(['one/', 'two/package.json']);
    await using recorded = await recordStatuses([tree.at('one')]);
    await recorded.watch.add(rootsAt(tree.at('two'), tree.at('one')));
    expect(recorded.watch.statuses.map(({ root, state }) => [root.name, state])).toEqual([
      ['one', 'available'],
      ['two', 'available'],
    ]);
    expect(recorded.watch.status(tree.at('two'))?.markers).toEqual(['package.json']);
    rmSync(tree.at('two'), { recursive: true });
    await recorded.record.state('missing', tree.at('two'));
  });

  test('removeRoot stops its reports, and closes its watches', async () => {
    using tree = tempTree(['a/one/', 'b/two/']);
    await using recorded = await recordStatuses([tree.at('a/one'), tree.at('b/two')]);
    const before = recorded.watch.directories;
    recorded.watch.remove([tree.at('a/one')]);
    expect(recorded.watch.directories).toBe(before - 2);
    recorded.record.clear();
    rmSync(tree.at('a/one'), { recursive: true });
    rmSync(tree.at('b/two'), { recursive: true });
    await recorded.record.state('missing');
    expect(recorded.record.statuses.map(({ root }) => root.name)).toEqual(['two']);
    expect(recorded.watch.status(tree.at('a/one'))).toBeUndefined();
  });
});

describe('seed 004, RootWatcher: a root that vanishes', () => {
  test('is missing, and comes back automatically', async () => {
    using tree = tempTree(['app/src/a.ts']);
    await using recorded = await recordStatuses([tree.at('app')]);
    rmSync(tree.at('app'), { recursive: true });
    const missing = await recorded.record.state('missing');
    expect(missing).toMatchObject({ usable: false, reason: 'it does not exist', markers: [] });
    mkdirSync(tree.at('app'));
    expect(await recorded.record.state('returned')).toMatchObject({ usable: true });
  });

  test('comes back even if several directories above it were gone', async () => {
    using tree = tempTree(['a/b/c/app/']);
    await using recorded = await recordStatuses([tree.at('a/b/c/app')]);
    rmSync(tree.at('a'), { recursive: true });
    await recorded.record.state('missing');
    for (let round = 0; round < 5; round += 1) {
      recorded.record.clear();
      mkdirSync(tree.at('a/b/c/app'), { recursive: true });
      await recorded.record.state('returned');
      recorded.record.clear();
      rmSync(tree.at('a'), { recursive: true });
      expect((await recorded.record.state('missing')).usable).toBe(false);
    }
  });

  test('is missing when a directory above it is renamed, and comes back with it', async () => {
    using tree = tempTree(['a/b/app/']);
    await using recorded = await recordStatuses([tree.at('a/b/app')]);
    renameSync(tree.at('a'), tree.at('z'));
    await recorded.record.state('missing');
    renameSync(tree.at('z'), tree.at('a'));
    expect((await recorded.record.state('returned')).usable).toBe(true);
  });

  test('is missing from the start, and appears later', async () => {
    using tree = tempTree();
    await using recorded = await recordStatuses([tree.at('later/app')]);
    expect(recorded.watch.statuses[0]?.state).toBe('missing');
    tree.add('later/app/f');
    await recorded.record.state('returned');
  });

  test('is moved if it was renamed in its directory, and is not followed', async () => {
    using tree = tempTree(['app/package.json', 'other/']);
    await using recorded = await recordStatuses([tree.at('app')]);
    renameSync(tree.at('app'), tree.at('app-2'));
    const moved = await recorded.record.state('moved');
    expect(moved).toMatchObject({ usable: false, movedTo: tree.at('app-2'), root: { path: tree.at('app') } });
    rmSync(tree.at('app-2'), { recursive: true });
    expect(await recorded.record.state('missing')).not.toHaveProperty('movedTo');
  });

  test('is not mistaken for a new directory with the same inode number', async () => {
    using tree = tempTree(['app/', 'other/']);
    await using recorded = await recordStatuses([tree.at('app')], { settleMilliseconds: 200 });
    rmSync(tree.at('app'), { recursive: true });
    mkdirSync(tree.at('new'));
    const gone = await recorded.record.until(recorded.record.statuses, ({ usable }) => !usable);
    expect(gone.state).toBe('missing');
  });

  test('is returned after another directory took its place between two looks', async () => {
    using tree = tempTree(['app/', 'next/']);
    await using recorded = await recordStatuses([tree.at('app')], { settleMilliseconds: 200 });
    rmSync(tree.at('app'), { recursive: true });
    renameSync(tree.at('next'), tree.at('app'));
    const { reason } = await recorded.record.state('returned');
    expect(reason).toBe('another directory has taken its place');
    expect(recorded.record.statuses.map(({ state }) => state)).toEqual(['available', 'returned']);
  });

  test('is missing if something of another kind has its name', async () => {
    using tree = tempTree(['app/']);
    await using recorded = await recordStatuses([tree.at('app')], { settleMilliseconds: 200 });
    rmSync(tree.at('app'), { recursive: true });
    writeFileSync(tree.at('app'), '');
    expect((await recorded.record.state('missing')).reason).toMatch(/another kind/);
  });
});

describe('a root behind a link', () => {
  test('is watched at its real path', async () => {
    using tree = tempTree(['data/app/', 'home/']);
    symlinkSync(tree.at('data/app'), tree.at('home/app'));
    await using recorded = await recordStatuses([tree.at('home/app')]);
    renameSync(tree.at('data'), tree.at('elsewhere'));
    await recorded.record.state('missing');
    renameSync(tree.at('elsewhere'), tree.at('data'));
    expect((await recorded.record.state('returned')).usable).toBe(true);
  });

  test('is reported when the link changes', async () => {
    using tree = tempTree(['one/', 'two/']);
    symlinkSync(tree.at('one'), tree.at('current'));
    await using recorded = await recordStatuses([tree.at('current')], { settleMilliseconds: 200 });
    unlinkSync(tree.at('current'));
    symlinkSync(tree.at('two'), tree.at('current'));
    await recorded.record.state('returned');
    recorded.record.clear();
    rmSync(tree.at('two'), { recursive: true });
    const gone = await recorded.record.until(recorded.record.statuses, ({ usable }) => !usable);
    expect(gone.root.path).toBe(tree.at('current'));
  });
});

test('a file as a root stays available however often an editor replaces it', async () => {
  using tree = tempTree(['settings.json = 1', 'end/']);
  await using recorded = await recordStatuses([tree.at('settings.json'), tree.at('end')]);
  tree.add('settings.json.tmp = 2');
  renameSync(tree.at('settings.json.tmp'), tree.at('settings.json'));
  await recorded.watch.look();
  rmSync(tree.at('end'), { recursive: true });
  await recorded.record.state('missing', tree.at('end'));
  expect(recorded.record.statuses.map(({ root, state }) => `${root.name} ${state}`).toSorted()).toEqual([
    'end available',
    'end missing',
    'settings.json available',
  ]);
  unlinkSync(tree.at('settings.json'));
  await recorded.record.state('missing', tree.at('settings.json'));
});

test('reports the markers of a root, and when they change', async () => {
  using tree = tempTree(['app/package.json']);
  await using recorded = await recordStatuses([tree.at('app')]);
  tree.add('app/.git/HEAD');
  await recorded.record.until(recorded.record.statuses, ({ markers }) => markers.length === 2);
  rmSync(tree.at('app/.git'), { recursive: true });
  unlinkSync(tree.at('app/package.json'));
  await recorded.record.until(recorded.record.statuses, ({ markers }) => markers.length === 0);
  expect(recorded.record.statuses.every(({ state }) => state === 'available')).toBe(true);
});

test('never watches a tree: changes inside a root are not reported', async () => {
  using tree = tempTree(['app/src/deep/', 'end/']);
  await using recorded = await recordStatuses([tree.at('app'), tree.at('end')]);
  recorded.record.clear();
  tree.add('app/src/deep/f', 'app/README.md');
  rmSync(tree.at('end'), { recursive: true });
  await recorded.record.state('missing');
  expect(recorded.record.statuses.map(({ root }) => root.name)).toEqual(['end']);
});

describe('random changes', () => {
  const places = ['a/app', 'a/b/app', 'a/b/c', 'd', 'link'] as const;

  /** A random change of a tree; one that is impossible at that moment does nothing. */
  function act(tree: TempTree, choice: number): void {
    const at = (index: number): string => tree.at(places[index % places.length] ?? 'd');
    try {
      if (choice % 6 === 0) mkdirSync(at(choice), { recursive: true });
      else if (choice % 6 === 1) rmSync(at(choice), { recursive: true });
      else if (choice % 6 === 2) renameSync(tree.at('a'), tree.at('z'));
      else if (choice % 6 === 3) renameSync(tree.at('z'), tree.at('a'));
      else if (choice % 6 === 4) renameSync(at(choice), at(choice + 1));
      else symlinkSync(tree.at('a/b'), tree.at('link'));
    } catch {
      // It did not exist, or something else did.
    }
  }

  test.each([1, 2, 3, 4, 5, 6])('end with a report of the actual state (%i)', async (seed) => {
    using tree = tempTree(['a/app/', 'a/b/app/', 'd/']);
    const paths = places.map((path) => tree.at(path));
    await using recorded = await recordStatuses(paths, { settleMilliseconds: 5 });
    let choice = seed;
    for (let step = 0; step < 60; step += 1) {
      choice = (choice * 48_271) % 2_147_483_647;
      act(tree, choice);
      if (choice % 3 === 0) await setImmediate();
      if (choice % 7 === 0) await recorded.record.next();
    }
    const isTrue = (): boolean =>
      recorded.watch.statuses.every(({ root, usable }) => usable === isDirectory(root.path));
    while (!isTrue()) await recorded.record.next();
    expect(isTrue()).toBe(true);
    expect(recorded.watch.statuses).toHaveLength(places.length);
  });
});

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

test('a root that vanishes is withdrawn from servers, and shown again when it is back', async () => {
  using tree = tempTree(['app/package.json', 'docs/', 'late/']);
  await using store = await openRootStore({ file: tree.at('config', 'roots.jsonc') });
  await store.add(tree.at('app'));
  await store.add(tree.at('docs'));
  await using availability = watchStore(store);
  await availability.watch.ready;
  const pair = pairs['SDK v1']?.();
  if (pair === undefined) throw new Error('no pair');
  const detach = expose(pair.client, store, { server: { name: 'a', command: 'x' }, availability });
  await pair.connect();
  const names = async (): Promise<unknown> => {
    const asked = await pair.ask();
    return 'roots' in asked ? asked.roots.map(({ name }) => name) : asked;
  };
  expect(await names()).toEqual(['app', 'docs']);
  renameSync(tree.at('app'), tree.at('away'));
  await heard(pair, 1);
  expect(await names()).toEqual(['docs']);
  renameSync(tree.at('away'), tree.at('app'));
  await heard(pair, 2);
  expect(await names()).toEqual(['app', 'docs']);
  // A root that is added later is watched too.
  await store.add(tree.at('late'));
  await heard(pair, 3);
  await availability.watch.look();
  renameSync(tree.at('late'), tree.at('later'));
  await heard(pair, 4);
  await store.remove('docs');
  expect(availability.watch.status(tree.at('docs'))).toBeUndefined();
  detach();
  await pair.client.close();
});
