import { renameSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Asked,
  heard,
  type Pair,
  pairs,
  reconnecting,
} from '../../../test/support/peers/client-pairs.ts';
import { createMemorySink } from '../../audit/sink.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { permissionsKey, readRootPermissions } from '../../policy/rules/root-permissions.ts';
import { tempTree, type TempTree } from '../../testing/temp-tree.ts';
import { openRootStore } from '../store/open-root-store.ts';
import type { RootStore } from '../store/root-store.ts';
import type { ExposeOptions } from './expose-options.ts';
import { expose } from './expose.ts';
import type { ExposureAnswer } from './roots-consent.ts';
import type { ServerDescription } from './server-identity.ts';
import { redactedKey } from './wire-root.ts';

const files: ServerDescription = { name: 'files', command: 'npx', args: ['some-server'] };
const remote: ServerDescription = { name: 'search', url: 'https://search.example/mcp' };
const loopback: ServerDescription = { name: 'near', url: 'http://127.0.0.1:3000/mcp' };

async function openStore(tree: TempTree, ...names: readonly string[]): Promise<RootStore> {
  const store = await openRootStore({ file: tree.at('config', 'roots.jsonc') });
  for (const name of names) await store.add({ path: tree.at(name), mustExist: false });
  return store;
}

function namesIn(asked: Asked): readonly (string | undefined)[] | Asked {
  return 'roots' in asked ? asked.roots.map(({ name }) => name) : asked;
}

function makePair(name = 'SDK v2, 2025'): Pair {
  const make = pairs[name];
  if (make === undefined) throw new Error(`no pair ${name}`);
  return make();
}

/** Exposes and connects, with a short debounce. Many roots here are in the store only, so the disk is not watched. */
async function connected(
  store: RootStore,
  options: Partial<ExposeOptions> = {},
  name?: string,
): Promise<Pair & AsyncDisposable & { readonly detach: () => void }> {
  const pair = makePair(name);
  const detach = expose(pair.client, store, { server: files, debounce: 5, availability: false, ...options });
  await pair.connect();
  return { ...pair, detach, [Symbol.asyncDispose]: () => pair.client.close() };
}

test('a root that vanishes is withdrawn without a watch of the host, and shown again when it is back', async () => {
  using tree = tempTree(['app/', 'docs/']);
  await using store = await openStore(tree, 'app', 'docs');
  const pair = makePair();
  const detach = expose(pair.client, store, { server: files, debounce: 5 });
  await pair.connect();
  expect(namesIn(await pair.ask())).toEqual(['app', 'docs']);
  renameSync(tree.at('app'), tree.at('config/away'));
  await heard(pair, 1);
  expect(namesIn(await pair.ask())).toEqual(['docs']);
  renameSync(tree.at('config/away'), tree.at('app'));
  await heard(pair, 2);
  expect(namesIn(await pair.ask())).toEqual(['app', 'docs']);
  detach();
  await pair.client.close();
});

describe.each(Object.keys(pairs))('with %s', (name) => {
  const isModern = name.endsWith('2026');

  test('a server gets the roots, with names and permissions', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using store = await openStore(tree, 'app', 'docs');
    await store.allow('docs', { operations: ['write'], server: 'files' });
    await store.deny('docs', { globs: ['secret/**'] });
    await using pair = await connected(store, {}, name);
    expect(await pair.ask()).toMatchObject({
      roots: [
        {
          uri: toFileUri(tree.at('app')),
          name: 'app',
          _meta: { [permissionsKey]: { allow: ['read', 'list'], ask: [], deny: [] } },
        },
        {
          uri: toFileUri(tree.at('docs')),
          name: 'docs',
          _meta: { [permissionsKey]: { allow: ['read', 'list', 'write'] } },
        },
      ],
    });
    const asked = await pair.ask();
    const [, docs] = 'roots' in asked ? asked.roots : [];
    expect(readRootPermissions(docs)).toMatchObject({ deny: [{ glob: 'secret/**' }] });
  });

  test('the next request sees a change, and a notification announces it where possible', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using store = await openStore(tree, 'app');
    await using pair = await connected(store, {}, name);
    expect(namesIn(await pair.ask())).toEqual(['app']);
    await store.add(tree.at('docs'));
    if (!isModern) await heard(pair, 1);
    expect(namesIn(await pair.ask())).toEqual(['app', 'docs']);
    await store.remove('app');
    if (!isModern) await heard(pair, 2);
    expect(namesIn(await pair.ask())).toEqual(['docs']);
  });

  test('after detaching, roots are not supported', async () => {
    using tree = tempTree(['app/']);
    await using store = await openStore(tree, 'app');
    await using pair = await connected(store, {}, name);
    expect(namesIn(await pair.ask())).toEqual(['app']);
    pair.detach();
    const asked = await pair.ask();
    expect(asked).toMatchObject({ message: expect.stringContaining('Roots not supported') });
    if (isModern) return;
    expect(asked).toMatchObject({ code: -32_601 });
    // 1.12 sends no data with an error.
    if (name !== 'SDK 1.12') {
      expect(asked).toMatchObject({ data: { reason: 'Client does not have roots capability' } });
    }
  });

  test('answers in time, however long the person takes', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using store = await openStore(tree, 'app', 'docs');
    await store.allow('docs', { server: 'search' });
    let answer: (word: ExposureAnswer) => void = () => {};
    const ask = (): Promise<ExposureAnswer> =>
      new Promise((resolve) => {
        answer = resolve;
      });
    await using pair = await connected(store, { server: remote, ask, timeout: 200 }, name);
    expect(namesIn(await pair.ask())).toEqual(['docs']);
    answer('session');
    if (!isModern) await heard(pair, 1);
    await expect.poll(async () => namesIn(await pair.ask())).toEqual(['app', 'docs']);
  });

  test('refuses a connected client that never declared roots', async () => {
    using tree = tempTree();
    await using store = await openStore(tree);
    const pair = makePair(name);
    await pair.connect();
    expect(() => expose(pair.client, store, { server: files })).toThrow(
      'Cannot expose roots to "files": the client is already connected and has not declared roots',
    );
    await pair.client.close();
  });

  test('a client can be exposed again after detaching', async () => {
    using tree = tempTree(['app/']);
    await using store = await openStore(tree, 'app');
    await using pair = await connected(store, {}, name);
    pair.detach();
    const detach = expose(pair.client, store, { server: files });
    expect(namesIn(await pair.ask())).toEqual(['app']);
    detach();
  });
});

describe('a change is announced', () => {
  test('once for many changes, and not at all if this server sees none of them', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app');
    await store.limit('files', ['app']);
    await using limited = await connected(store);
    await using other = await connected(store, { server: { ...files, name: 'other' }, debounce: 300 });
    await Promise.all(['a', 'b', 'c'].map((name) => store.add({ path: tree.at(name), mustExist: false })));
    await heard(other, 1);
    // Concurrent additions have no defined order.
    const names = namesIn(await other.ask());
    expect(names).toHaveLength(4);
    expect(names).toEqual(expect.arrayContaining(['app', 'a', 'b', 'c']));
    expect(limited.changes()).toBe(0);
    await store.rename('app', 'main');
    await heard(limited, 1);
    await heard(other, 2);
    expect([limited.changes(), other.changes()]).toEqual([1, 2]);
  });

  test('not if it was undone before the server could see it', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app');
    await using pair = await connected(store, { debounce: 200 });
    await store.add({ path: tree.at('docs'), mustExist: false });
    await store.undo();
    await store.allow('app', { operations: ['write'] });
    await heard(pair, 1);
    await store.rename('app', 'x');
    await heard(pair, 2);
    expect(pair.changes()).toBe(2);
  });

  test('when permissions change, because they are sent too', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app');
    await using pair = await connected(store);
    await store.deny('app', { globs: ['*.log'] });
    await heard(pair, 1);
    expect(pair.changes()).toBe(1);
  });

  test('to every client of one store', async () => {
    using tree = tempTree();
    await using store = await openStore(tree);
    const all = await Promise.all(Array.from({ length: 20 }, () => connected(store)));
    await store.add({ path: tree.at('app'), mustExist: false });
    await Promise.all(all.map((pair) => heard(pair, 1)));
    for (const pair of all) {
      expect(namesIn(await pair.ask())).toEqual(['app']);
      await pair.client.close();
    }
  });

  test('by no notification while the client is disconnected', async () => {
    using tree = tempTree();
    await using store = await openStore(tree);
    const failures: unknown[] = [];
    await using pair = await connected(store, { onError: (error) => failures.push(error) });
    await using other = await connected(store);
    await pair.client.close();
    await store.add({ path: tree.at('app'), mustExist: false });
    await heard(other, 1);
    expect([failures, pair.changes()]).toEqual([[], 0]);
  });

  test('when a root becomes unusable, and when it is usable again', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app', 'docs');
    let [isThere, tell] = [true, (): void => {}];
    const availability = {
      isUsable: ({ name }: { readonly name: string }): boolean => name !== 'app' || isThere,
      subscribe: (listener: () => void): (() => void) => {
        tell = listener;
        return () => {};
      },
    };
    await using pair = await connected(store, { availability });
    isThere = false;
    tell();
    await heard(pair, 1);
    expect(namesIn(await pair.ask())).toEqual(['docs']);
    isThere = true;
    tell();
    await heard(pair, 2);
    expect(namesIn(await pair.ask())).toEqual(['app', 'docs']);
  });
});

describe('trust', () => {
  test.each<[ServerDescription, Partial<ExposeOptions>, readonly string[]]>([
    [files, {}, ['app']],
    [loopback, {}, ['app']],
    [remote, {}, []],
    [{ name: 'unknown' }, {}, []],
  ])('decides for %j without any grant', async (server, options, names) => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app');
    await using pair = await connected(store, { server, ...options });
    expect(namesIn(await pair.ask())).toEqual(names);
  });

  test('gives a remote server names without paths, if the host wants it', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'my app', 'docs');
    await store.allow('docs', { server: 'search' });
    await using pair = await connected(store, { server: remote, remote: 'redacted' });
    const asked = await pair.ask();
    expect(asked).toMatchObject({
      roots: [
        { uri: 'file:///redacted/my%20app', name: 'my app', _meta: { [redactedKey]: true } },
        { uri: toFileUri(tree.at('docs')), name: 'docs' },
      ],
    });
    expect(JSON.stringify(asked)).not.toContain(tree.at('my app'));
  });

  test('does not pass to another program or address with the same name', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app');
    const ask = (): ExposureAnswer | Promise<ExposureAnswer> => 'always';
    await using first = await connected(store, { server: remote, ask });
    expect(namesIn(await first.ask())).toEqual(['app']);
    await using same = await connected(store, { server: remote });
    expect(namesIn(await same.ask())).toEqual(['app']);
    await using impostor = await connected(store, { server: { ...remote, url: 'https://evil.example/mcp' } });
    expect(namesIn(await impostor.ask())).toEqual([]);
  });

  test('may refuse with an error instead of an empty list', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app');
    await using pair = await connected(store, { server: remote, refused: 'error' });
    expect(await pair.ask()).toMatchObject({
      code: -32_603,
      message: expect.stringContaining('Root access denied'),
      data: { reason: 'Insufficient permissions' },
    });
  });
});

describe('a yes for this session', () => {
  test.each(Object.keys(reconnecting))('ends with the connection of a real client: %s', async (name) => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app');
    let asked = 0;
    const ask = (): ExposureAnswer | Promise<ExposureAnswer> => {
      asked += 1;
      return 'session';
    };
    const { client, connect } = reconnecting[name]?.() ?? expect.unreachable();
    const detach = expose(client, store, { server: remote, ask, debounce: 5 });
    for (const times of [1, 2]) {
      const list = await connect();
      expect([(await list()).length, (await list()).length, asked]).toEqual([1, 1, times]);
      await client.close();
    }
    detach();
  });

  test('ends with the root: a root that is added again is asked about again', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app');
    let asked = 0;
    const ask = (): ExposureAnswer | Promise<ExposureAnswer> => {
      asked += 1;
      return asked === 1 ? 'session' : 'never';
    };
    await using pair = await connected(store, { server: remote, ask, debounce: 500 });
    expect(namesIn(await pair.ask())).toEqual(['app']);
    await store.remove('app');
    await store.add({ path: tree.at('app'), mustExist: false });
    expect([namesIn(await pair.ask()), asked]).toEqual([[], 2]);
  });
});

test('honours a read-only grant even if the store cannot be written', async () => {
  using tree = tempTree(['app/']);
  await using store = await openStore(tree);
  await store.add({ path: tree.at('app'), preset: 'write-in-project' });
  const damaged = new Promise<void>((resolve) => {
    store.subscribe(({ damage }) => {
      if (damage !== undefined) resolve();
    });
  });
  writeFileSync(tree.at('config', 'roots.jsonc'), '{ oops');
  await damaged;
  const failures: unknown[] = [];
  const ask = (): ExposureAnswer | Promise<ExposureAnswer> => ({ answer: 'always', operations: ['read'] });
  await using pair = await connected(store, {
    server: remote,
    ask,
    onError: (error) => failures.push(error),
  });
  expect(await pair.ask()).toMatchObject({ roots: [{ _meta: { [permissionsKey]: { allow: ['read'] } } }] });
  expect(failures).toMatchObject([{ code: 'STORE_DAMAGED' }]);
});

describe('a failing answer', () => {
  test('names a mapped URI that is not a file URI', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app');
    await using mapped = await connected(store, { mapUri: ({ name }) => `file:///workspace/${name}` });
    expect(await mapped.ask()).toMatchObject({ roots: [{ uri: 'file:///workspace/app' }] });
    await using wrong = await connected(store, { mapUri: () => 'http://example.com/path' });
    expect(await wrong.ask()).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('Invalid root URI'),
      data: { uri: 'http://example.com/path', reason: 'Only file:// URIs are supported' },
    });
  });

  test('comes in time if the audit hangs, and says that it took too long', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app');
    const audit = { record: () => new Promise<void>(() => {}), close: async () => {} };
    await using pair = await connected(store, { audit, timeout: 100 });
    expect(await pair.ask()).toMatchObject({ code: -32_603, data: { reason: 'it took too long' } });
  });

  test('shows no root that could not be recorded', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app');
    const audit = createMemorySink();
    await audit.close();
    await using pair = await connected(store, { audit });
    expect(await pair.ask()).toMatchObject({
      code: -32_603,
      data: { reason: 'the answer could not be recorded' },
    });
  });
});

describe('the audit', () => {
  test('has an entry for every exposure, refusal, grant and withdrawal', async () => {
    using tree = tempTree();
    await using store = await openStore(tree, 'app', 'docs');
    const audit = createMemorySink();
    const ask = (): ExposureAnswer | Promise<ExposureAnswer> =>
      new Map([
        ['app', 'session'],
        ['docs', 'never'],
      ]);
    await using pair = await connected(store, { server: remote, ask, audit });
    await pair.ask();
    await pair.ask();
    await store.remove('app');
    await heard(pair, 1);
    const told = audit
      .entries()
      .map(({ event, caller, root, verdict, rule }) => [event, caller, root, verdict, rule]);
    expect(told).toEqual([
      ['grant', 'search', 'app', 'allow', 'consent:session'],
      ['grant', 'search', 'docs', 'deny', 'consent:never'],
      ['exposure', 'search', 'app', 'allow', 'consent:session'],
      ['refusal', 'search', 'docs', 'deny', 'grant:never'],
      ['withdrawal', 'search', 'app', 'deny', 'removed'],
    ]);
  });
});
