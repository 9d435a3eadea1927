import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createMemorySink } from '../audit/sink.ts';
import { openRootStore } from '../client/store/open-root-store.ts';
import type { RootStore, StoreListener } from '../client/store/root-store.ts';
import type { StoredRoot, StoreSnapshot } from '../client/store/stored-root.ts';
import { RootwardError } from '../errors.ts';
import { parseRoots } from '../path/root.ts';
import { tempTree, type TempTree } from '../testing/temp-tree.ts';
import {
  createStoreOperator,
  type FollowedStore,
  followStore,
  reportDamage,
  watchStored,
} from './follow-store.ts';
import type { CliContext } from './settings/process-context.ts';

const quiet = { write: () => undefined };
const layout = ['home/', 'app/a.txt', 'docs/b.txt'];

interface FollowListeners {
  readonly server?: string;
  readonly audit?: ReturnType<typeof createMemorySink>;
  readonly said?: (text: string) => void;
  readonly logged?: (event: object) => void;
}

function follow(
  tree: TempTree,
  { server = 'rootward', ...listeners }: FollowListeners = {},
): Promise<FollowedStore> {
  const env = { ROOTWARD_HOME: tree.at('home') };
  const stderr = { write: (text: string) => listeners.said?.(text) };
  const context: CliContext = { process: { stdout: quiet, stderr, env }, cwd: tree.path };
  const settings = { policy: { preset: 'write-in-project' }, limited: false, server } as const;
  return followStore(context, settings, {
    audit: listeners.audit ?? createMemorySink(),
    log: (event) => listeners.logged?.(event),
  });
}

/** The store as another process has it open. */
function open(tree: TempTree): Promise<RootStore> {
  return openRootStore({ file: tree.at('home', 'roots.jsonc'), follow: false });
}

async function namesIn(followed: FollowedStore): Promise<readonly string[] | undefined> {
  return (await followed.operator())?.ceiling.map(({ name }) => name);
}

describe('a followed store', () => {
  test('has no settings while it is missing or empty', async () => {
    using tree = tempTree(layout);
    await using followed = await follow(tree);
    expect(await followed.operator()).toBeUndefined();
    expect(followed.operations()).toEqual([]);
  });

  test('is read at the next call, without waiting for file system events', async () => {
    using tree = tempTree(layout);
    await using followed = await follow(tree);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    expect(await namesIn(followed)).toEqual(['app']);
    await store.add(tree.at('docs'));
    expect(await namesIn(followed)).toEqual(['app', 'docs']);
    await store.remove('app');
    expect(await namesIn(followed)).toEqual(['docs']);
  });

  test('has another revision after every change', async () => {
    using tree = tempTree(layout);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await using followed = await follow(tree);
    const first = await followed.operator();
    await store.allow('app', { operations: ['write'] });
    const second = await followed.operator();
    expect(second?.revision).toBeGreaterThan(first?.revision ?? Infinity);
    expect(second?.policy.roots.get('app')?.verdicts.write.verdict).toBe('allow');
    expect(first?.policy.roots.get('app')?.verdicts.write.verdict).toBe('deny');
  });

  test('allows nothing when its last root or its file is removed', async () => {
    using tree = tempTree(layout);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await using followed = await follow(tree);
    expect(await namesIn(followed)).toEqual(['app']);
    await store.remove('app');
    expect(await namesIn(followed)).toEqual([]);
    await store.add(tree.at('app'));
    expect(await namesIn(followed)).toEqual(['app']);
    rmSync(tree.at('home', 'roots.jsonc'));
    await expect.poll(() => namesIn(followed)).toEqual([]);
  });

  test('knows which operations it allows somewhere', async () => {
    using tree = tempTree(layout);
    await using store = await open(tree);
    await store.add({ path: tree.at('app'), allow: ['read', 'remove'] });
    await using followed = await follow(tree);
    expect(followed.operations()).toContain('remove');
  });
});

describe('permissions for this server', () => {
  test.each([
    ['a list that leaves a root out', (store: RootStore) => store.limit('rootward', ['docs'])],
    ['a no', (store: RootStore) => store.deny('app', { server: 'rootward' })],
    [
      'a no to some program of that name',
      (store: RootStore) =>
        store.remember('app', { server: 'rootward', fingerprint: 'x', answer: 'never', date: '2026-01-01' }),
    ],
  ])('%s hides it only from this server', async (_case, say) => {
    using tree = tempTree(layout);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await store.add(tree.at('docs'));
    await say(store);
    await using followed = await follow(tree);
    await using other = await follow(tree, { server: 'other' });
    expect(await namesIn(followed)).toEqual(['docs']);
    expect(await namesIn(other)).toEqual(['app', 'docs']);
    // Refused, and not just left out: a client that lists it must not gain access by that.
    expect((await followed.operator())?.refused?.map(({ name }) => name)).toEqual(['app']);
    expect((await other.operator())?.refused).toEqual([]);
  });

  test('replace those for all servers', async () => {
    using tree = tempTree(layout);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await store.allow('app', { operations: ['write'], server: 'rootward' });
    await using followed = await follow(tree);
    const word = await followed.operator();
    expect(word?.policy.roots.get('app')?.verdicts.write.verdict).toBe('allow');
  });

  test('end when a refusal expires, which is recorded', async () => {
    const audit = createMemorySink();
    using tree = tempTree(layout);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    const until = new Date(Date.now() + 3_000).toISOString();
    await store.remember('app', { server: 'rootward', answer: 'never', date: '2026-01-01', until });
    await using followed = await follow(tree, { audit });
    expect(await namesIn(followed)).toEqual([]);
    await expect.poll(() => namesIn(followed), { timeout: 20_000 }).toEqual(['app']);
    expect(audit.entries()).toMatchObject([{ event: 'withdrawal', root: 'app', rule: 'consent:ended' }]);
  });
});

describe('the followed file', () => {
  test('is reported once when damaged, with line, column and hint, and once when repaired', async () => {
    using tree = tempTree(layout);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    const good = readFileSync(store.file, 'utf8');
    let said = '';
    const events: object[] = [];
    await using followed = await follow(tree, {
      said: (text) => void (said += text),
      logged: (event) => void events.push(event),
    });
    writeFileSync(store.file, '{ "roots": [');
    await expect.poll(() => said).toMatch(/line 1, column \d+.*are still used\. Correct the file there/);
    expect(await namesIn(followed)).toEqual(['app']);
    expect(await namesIn(followed)).toEqual(['app']);
    expect(events).toEqual([expect.objectContaining({ state: 'damaged', code: 'STORE_DAMAGED' })]);
    writeFileSync(store.file, good);
    await expect.poll(() => said).toContain('can be read again');
    expect(said.split('\n').filter((line) => line !== '')).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ state: 'repaired' });
  });

  test('is recorded when edited by hand', async () => {
    using tree = tempTree(layout);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    const audit = createMemorySink();
    await using followed = await follow(tree, { audit });
    expect(await namesIn(followed)).toEqual(['app']);
    writeFileSync(store.file, readFileSync(store.file, 'utf8').replace('"name": "app"', '"name": "mine"'));
    expect(await namesIn(followed)).toEqual(['mine']);
    await expect
      .poll(() => audit.entries().map(({ rule, caller }) => `${caller} ${rule}`))
      .toEqual(['rootward serve store:edited']);
  });
});

describe('the directories of roots', () => {
  test('change the revision when they vanish or come back', async () => {
    using tree = tempTree(layout);
    await using store = await open(tree);
    await store.add(tree.at('app'));
    await using followed = await follow(tree);
    const revision = async (): Promise<number> => (await followed.operator())?.revision ?? 0;
    // The first look counts as a change.
    await expect.poll(revision).toBeGreaterThan(1);
    const before = await revision();
    rmSync(tree.at('app'), { recursive: true });
    await expect.poll(revision).toBeGreaterThan(before);
    // It still belongs to the operator: a client must not bring it in by listing it.
    expect(await namesIn(followed)).toEqual(['app']);
    const gone = await revision();
    mkdirSync(tree.at('app'));
    await expect.poll(revision).toBeGreaterThan(gone);
  });
});

test('refuses a store that is damaged from the beginning', async () => {
  using tree = tempTree(['home/roots.jsonc = {']);
  await expect(follow(tree)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
});

test('a user without a home directory has no store', async () => {
  const env = { ROOTWARD_HOME: '/dev/null/home' };
  const context: CliContext = { process: { stdout: quiet, stderr: quiet, env }, cwd: '/' };
  const settings = { policy: {}, limited: false, server: 'rootward' };
  const records = { audit: createMemorySink(), log: () => undefined };
  await using followed = await followStore(context, settings, records);
  expect(await followed.operator()).toBeUndefined();
  expect(followed.operations()).toEqual([]);
});

const usual = { policy: { preset: 'write-in-project' }, limited: false, server: 'rootward' } as const;

function snapshot(revision: number, ...roots: readonly Partial<StoredRoot>[]): StoreSnapshot {
  const stored = roots.map((more, index) => {
    const [root] = parseRoots([`file:///srv/r${index}`]).roots;
    if (root === undefined) throw new Error('there is one');
    return Object.assign({ permissions: {}, servers: {}, grants: [] }, root, more);
  });
  return { revision, roots: stored, servers: {} };
}

test('the same snapshot gives the same settings, and another one another revision', () => {
  const storeOperator = createStoreOperator(usual);
  const one = snapshot(1, {});
  const word = storeOperator.wordFor(one);
  expect(storeOperator.wordFor(one)).toBe(word);
  expect(storeOperator.wordFor(snapshot(2, {}))?.revision).toBeGreaterThan(word?.revision ?? Infinity);
});

test('a change on disk gives the same settings with another revision', () => {
  const storeOperator = createStoreOperator(usual);
  const one = snapshot(1, {});
  const word = storeOperator.wordFor(one);
  storeOperator.invalidate();
  const again = storeOperator.wordFor(one);
  expect(again?.revision).toBeGreaterThan(word?.revision ?? Infinity);
  expect(again).toMatchObject({ ceiling: word?.ceiling, refused: [] });
});

test('has no settings before the first root, and empty ones after the last', () => {
  const storeOperator = createStoreOperator(usual);
  expect(storeOperator.wordFor(snapshot(0))).toBeUndefined();
  expect(storeOperator.operations()).toEqual([]);
  storeOperator.invalidate();
  expect(storeOperator.wordFor(snapshot(0))).toBeUndefined();
  storeOperator.wordFor(snapshot(1, {}));
  expect(storeOperator.wordFor(snapshot(2))).toMatchObject({ ceiling: [], refused: [] });
});

test('a root hidden from this server is refused, and not just left out', () => {
  const never = { server: 'rootward', answer: 'never', date: '2026-01-01' } as const;
  const word = createStoreOperator(usual).wordFor(snapshot(1, { grants: [never] }, {}));
  expect(word?.ceiling.map(({ path }) => path)).toEqual(['/srv/r1']);
  expect(word?.refused?.map(({ path }) => path)).toEqual(['/srv/r0']);
});

test('knows the allowed operations after the first read', () => {
  const storeOperator = createStoreOperator(usual);
  storeOperator.wordFor(snapshot(1, { permissions: { allow: ['execute'] } }));
  expect(storeOperator.operations()).toContain('execute');
});

const snapshotTellDamage = { revision: 1, roots: [], servers: {} };

function damage(line: number): RootwardError {
  return new RootwardError('STORE_DAMAGED', { file: '/roots.jsonc', line, column: 2, reason: 'no' });
}

test('reports each damage once, and the repair, and no other changes', () => {
  const lines: string[] = [];
  const events: object[] = [];
  let tell: StoreListener = () => {};
  const subscribe = (listener: StoreListener): (() => void) => {
    tell = listener;
    return () => {};
  };
  reportDamage(
    { subscribe },
    { stderr: { write: (text) => void lines.push(text) }, log: (event) => void events.push(event) },
  );
  const said = [undefined, damage(1), damage(1), damage(3), undefined, undefined];
  for (const each of said)
    tell({ snapshot: snapshotTellDamage, by: 'elsewhere', damage: each, edited: false });
  expect(lines).toEqual([
    expect.stringMatching(/^rootward: Cannot use .*line 1, column 2.*are still used.*\n$/),
    expect.stringContaining('line 3'),
    expect.stringContaining('can be read again'),
  ]);
  expect(events).toMatchObject([{ state: 'damaged' }, { state: 'damaged' }, { state: 'repaired' }]);
});

test('reports when a root vanishes and comes back, until it is closed', async () => {
  using tree = tempTree(['app/']);
  await using store = await openRootStore({ file: tree.at('roots.jsonc'), follow: false });
  await store.add(tree.at('app'));
  let changes = 0;
  let control = 0;
  const watching = watchStored(store, { changed: () => void (changes += 1), issue: () => {} });
  const other = watchStored(store, { changed: () => void (control += 1), issue: () => {} });
  const more = async (change: () => void): Promise<void> => {
    const before = changes;
    change();
    await expect.poll(() => changes).toBeGreaterThan(before);
  };
  // The first look, and the end of it.
  await expect.poll(() => Math.min(changes, control)).toBeGreaterThan(1);
  await more(() => rmSync(tree.at('app'), { recursive: true }));
  await more(() => mkdirSync(tree.at('app')));
  await watching[Symbol.asyncDispose]();
  const last = [changes, control] as const;
  rmSync(tree.at('app'), { recursive: true });
  await expect.poll(() => control).toBeGreaterThan(last[1]);
  expect(changes).toBe(last[0]);
  await other[Symbol.asyncDispose]();
});

test('can be closed before it has started', async () => {
  using tree = tempTree();
  await using store = await openRootStore({ file: tree.at('roots.jsonc'), follow: false });
  let changes = 0;
  const watching = watchStored(store, { changed: () => void (changes += 1), issue: () => {} });
  await watching[Symbol.asyncDispose]();
  expect(changes).toBe(0);
});
