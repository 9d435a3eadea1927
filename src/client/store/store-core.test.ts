import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { tempTree, type TempTree } from '../../testing/temp-tree.ts';
import { addRecord, renameRecord } from './store-changes.ts';
import { StoreCore, type StoreEvent } from './store-core.ts';

async function open(tree: TempTree): Promise<{ core: StoreCore; events: StoreEvent[] }> {
  const events: StoreEvent[] = [];
  const core = await StoreCore.open({
    place: { directory: tree.path, name: 'r' },
    context: { file: 'r', home: '/', platform: 'posix' },
    timeout: 1_000,
    onEvent: (event) => events.push(event),
  });
  return { core, events };
}

const one = '{ "version": 1, "revision": 3, "roots": [{ "path": "/a", "name": "a" }] }';

test('applies a change to the current content of the file', async () => {
  using tree = tempTree([`r = ${one}`]);
  const { core } = await open(tree);
  writeFileSync(tree.at('r'), one.replace('"a" }', '"a" }, { "path": "/b" }'));
  const step = await core.change(addRecord({ path: '/c' }, 'c'));
  expect(step?.after.snapshot.roots.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  await core.close();
});

test('applies changes one after the other', async () => {
  using tree = tempTree();
  const { core, events } = await open(tree);
  await Promise.all(['/a', '/b', '/c'].map((path) => core.change(addRecord({ path }, path.slice(1)))));
  expect(events.map(({ snapshot }) => snapshot.roots.length)).toEqual([1, 2, 3]);
  await core.close();
});

test('a revision never decreases, not even with an older file', async () => {
  using tree = tempTree([`r = ${one}`]);
  const { core, events } = await open(tree);
  await core.change(renameRecord('a', 'x'));
  writeFileSync(tree.at('r'), one);
  await core.look();
  expect(events.map(({ snapshot, by, edited }) => [snapshot.revision, by, edited])).toEqual([
    [4, 'here', false],
    [5, 'elsewhere', true],
  ]);
  await core.change(renameRecord('a', 'y'));
  expect(readFileSync(tree.at('r'), 'utf8')).toContain('"revision": 6');
  await core.close();
});

test('a failed change has no effect and does not block others', async () => {
  using tree = tempTree([`r = ${one}`]);
  const { core, events } = await open(tree);
  await expect(core.change(renameRecord('nobody', 'x'))).rejects.toMatchObject({ code: 'UNKNOWN_ROOT' });
  await core.change(renameRecord('a', 'x'));
  expect(events).toHaveLength(1);
  await core.close();
  await expect(core.change(renameRecord('x', 'y'))).rejects.toMatchObject({ code: 'CLOSED' });
});

test('a cached file is read again as soon as anything about it changes', async () => {
  using tree = tempTree([`r = ${one}`]);
  const { core, events } = await open(tree);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  try {
    for (const name of ['b', 'c', 'd']) {
      // Twice: the first look learns the version, the second uses it.
      await core.look();
      await core.look();
      const { atime, mtime } = statSync(tree.at('r'));
      writeFileSync(tree.at('r'), one.replace('"a" }', `"${name}" }`));
      utimesSync(tree.at('r'), atime, mtime);
      await core.look();
      expect(core.snapshot.roots.map((root) => root.name)).toEqual([name]);
    }
  } finally {
    vi.useRealTimers();
  }
  expect(events).toHaveLength(3);
  await core.close();
});
