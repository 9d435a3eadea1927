import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownHome, type OwnHome } from '../../../test/support/processes/own-home.ts';
import { openRootStore } from '../../client/store/open-root-store.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import {
  changeStore,
  keepUndoStep,
  loadUndoSteps,
  lookIntoStore,
  requireStored,
  saveUndoSteps,
} from './own-store.ts';

const quiet = { write: () => undefined };

function contextOf(home: OwnHome): CliContext {
  return { process: { stdout: quiet, stderr: quiet, env: home.env }, cwd: home.at() };
}

test('reading leaves no files', async () => {
  using home = ownHome();
  expect(await lookIntoStore(contextOf(home), async (store) => store.list())).toEqual([]);
  expect(readdirSync(home.tree.at('home'))).toEqual([]);
});

describe('a change', () => {
  test('is recorded in the audit log', async () => {
    using home = ownHome();
    await changeStore(contextOf(home), (store) => store.add(home.at('app')));
    const log = home.tree.at('home', 'log');
    const lines = readdirSync(log).flatMap((name) =>
      readFileSync(join(log, name), 'utf8').trim().split('\n'),
    );
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { caller: 'rootward roots', event: 'change', rule: 'store:add', outcome: 'done' },
    ]);
  });

  test('can be undone', async () => {
    using home = ownHome();
    await changeStore(contextOf(home), (store) => store.add(home.at('app')));
    expect(await loadUndoSteps(home.file)).toMatchObject([{ after: home.text() }]);
  });

  test('that fails halfway can be undone as far as it went', async () => {
    using home = ownHome();
    const change = changeStore(contextOf(home), async (store) => {
      await store.add(home.at('app'));
      await store.add(home.at('gone'));
    });
    await expect(change).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await loadUndoSteps(home.file)).toHaveLength(1);
  });

  test('without effect leaves nothing to undo', async () => {
    using home = ownHome();
    await changeStore(contextOf(home), async () => undefined);
    expect(await loadUndoSteps(home.file)).toEqual([]);
  });
});

test.each(['app', 'docs/..'])('finds a root by %j', async (which) => {
  using home = ownHome(['app/', 'docs/']);
  await using store = await openRootStore({ file: home.file, follow: false });
  await store.add(home.at('app'));
  await store.add(home.at());
  expect(requireStored(contextOf(home), store, which).path).toBe(
    which === 'app' ? home.at('app') : home.at(),
  );
});

test('an unknown root is refused with a list of the known ones', async () => {
  using home = ownHome();
  await using store = await openRootStore({ file: home.file, follow: false });
  await store.add(home.at('app'));
  expect(() => requireStored(contextOf(home), store, 'zzz')).toThrow(
    expect.objectContaining({ code: 'UNKNOWN_ROOT', data: { root: 'zzz', known: ['app'] } }),
  );
});

async function store(file: string, ...paths: readonly string[]): Promise<void> {
  await using opened = await openRootStore({ file, follow: false });
  for (const path of paths) await opened.add({ path, mustExist: false });
}

describe('the undo steps of a command', () => {
  test('are kept with both texts, the latest last', async () => {
    using tree = tempTree();
    const file = tree.at('roots.jsonc');
    await store(file, '/a');
    await keepUndoStep(file, { before: undefined, changes: 1 });
    const [{ after: before } = { after: '' }] = await loadUndoSteps(file);
    await store(file, '/b', '/c');
    await keepUndoStep(file, { before, changes: 2 });
    const steps = await loadUndoSteps(file);
    expect(steps).toHaveLength(2);
    expect(steps[0]).not.toHaveProperty('before');
    expect(steps[1]?.before).toBe(steps[0]?.after);
  });

  test('are dropped, with all earlier ones, if another process changed the file meanwhile', async () => {
    using tree = tempTree();
    const file = tree.at('roots.jsonc');
    await store(file, '/a');
    await keepUndoStep(file, { before: undefined, changes: 1 });
    await store(file, '/b', '/c');
    await keepUndoStep(file, { before: undefined, changes: 1 });
    expect(await loadUndoSteps(file)).toEqual([]);
  });
});

test.each(['', '{', '{}', 'null', '[1,{"after":1},{"before":1,"after":""}]'])(
  'ignores unreadable undo steps: %j',
  async (text) => {
    using tree = tempTree();
    writeFileSync(tree.at('roots.jsonc.undo'), text);
    expect(await loadUndoSteps(tree.at('roots.jsonc'))).toEqual([]);
  },
);

test('limits the number of undo steps', async () => {
  using tree = tempTree();
  const file = tree.at('roots.jsonc');
  await saveUndoSteps(
    file,
    Array.from({ length: 30 }, (_, index) => ({ after: String(index) })),
  );
  const kept = await loadUndoSteps(file);
  expect([kept.length, kept.at(0)?.after, kept.at(-1)?.after]).toEqual([20, '10', '29']);
  const large = 'x'.repeat(1_500_000);
  await saveUndoSteps(file, [{ after: large }, { after: large }, { after: large }]);
  expect(await loadUndoSteps(file)).toHaveLength(2);
});
