import { describe, expect, test } from 'vitest';
import {
  connectLegacy,
  type LegacyPair,
  type LegacySetup,
} from '../../../test/support/peers/connect-legacy.ts';
import { createMemorySink } from '../../audit/sink.ts';
import type { MergeMode } from '../../policy/merge.ts';
import { tempTree, type TempTree } from '../../testing/temp-tree.ts';
import { createMemory } from '../connection/connection-memory.ts';
import { readSettings } from '../settings/settings.ts';
import { mayWiden, modeOf } from './compose.ts';

const entries = ['srv/app/a.txt = app', 'srv/b.txt = srv', 'home/c.txt = home', 'own/package.json = {}'];

/** The reachable roots, as names in the tree. */
async function reached(pair: LegacyPair, tree: TempTree): Promise<string> {
  return (await pair.call('paths')).text.replaceAll(`${tree.path}/`, '');
}

interface Row {
  readonly merge: MergeMode | undefined;
  readonly overHttp: boolean;
  readonly named: boolean;
  /** The roots the client lists; `undefined` if it cannot. */
  readonly listed: readonly string[] | undefined;
  readonly expected: string;
}

const rows: readonly Row[] = [
  { merge: undefined, overHttp: false, named: true, listed: undefined, expected: 'srv' },
  {
    merge: undefined,
    overHttp: false,
    named: true,
    listed: ['srv/app', 'home'],
    expected: 'srv srv/app home',
  },
  { merge: undefined, overHttp: false, named: true, listed: [], expected: 'srv' },
  { merge: undefined, overHttp: false, named: false, listed: undefined, expected: 'own' },
  { merge: undefined, overHttp: false, named: false, listed: ['home'], expected: 'home' },
  { merge: undefined, overHttp: false, named: false, listed: [], expected: 'own' },
  { merge: undefined, overHttp: true, named: true, listed: undefined, expected: 'srv' },
  { merge: undefined, overHttp: true, named: true, listed: ['srv/app', 'home'], expected: 'srv/app' },
  { merge: undefined, overHttp: true, named: true, listed: ['home'], expected: '' },
  { merge: undefined, overHttp: true, named: false, listed: ['home'], expected: '' },
  { merge: undefined, overHttp: true, named: false, listed: undefined, expected: '' },
  { merge: 'client', overHttp: true, named: false, listed: ['home'], expected: 'home' },
  { merge: 'client', overHttp: false, named: true, listed: ['home'], expected: 'home' },
  { merge: 'client', overHttp: false, named: true, listed: undefined, expected: '' },
  { merge: 'operator', overHttp: false, named: true, listed: ['home'], expected: 'srv' },
  { merge: 'operator', overHttp: true, named: true, listed: ['home'], expected: 'srv' },
  { merge: 'intersect', overHttp: false, named: true, listed: ['srv/app', 'home'], expected: 'srv/app' },
  { merge: 'union', overHttp: true, named: true, listed: ['home'], expected: 'srv home' },
];

test.each(rows)(
  'merge $merge, over HTTP $overHttp, operator named $named, client lists $listed: $expected',
  async ({ merge, overHttp, named, listed, expected }) => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({
      roots: (listed ?? []).map((name) => tree.at(name)),
      ...(listed === undefined && { capabilities: {} }),
      ...(overHttp && { sessionId: 'session-1' }),
      options: {
        cwd: tree.at('own'),
        ...(merge && { merge }),
        ...(named && { ceiling: [tree.at('srv')] }),
      },
    });
    expect(await reached(pair, tree)).toBe(expected);
  },
);

test('withdrawn roots over HTTP leave nothing, even with directories of the operator', async () => {
  using tree = tempTree(entries);
  await using pair = await connectLegacy({
    roots: [tree.at('srv/app')],
    sessionId: 'session-1',
    options: { ceiling: [tree.at('srv')] },
  });
  expect((await pair.call('read', { path: tree.at('srv/app/a.txt') })).text).toBe('app');
  pair.list();
  await pair.changed();
  expect((await pair.call('read', { path: tree.at('srv/app/a.txt') })).data).toMatchObject({
    error: { code: 'NO_ROOTS', hint: expect.stringContaining('Start the server with directories') },
  });
});

test('remembered consent counts if a client may widen access, and not over HTTP', async () => {
  using tree = tempTree(entries);
  const connect = (sessionId?: string): Promise<LegacyPair> => {
    const memory = createMemory({ switched: { text: tree.at('home'), consented: true } });
    return connectLegacy({
      capabilities: {},
      ...(sessionId && { sessionId }),
      options: { memory: () => memory },
    });
  };
  await using stdio = await connect();
  expect((await stdio.call('read', { path: 'c.txt' })).text).toBe('home');
  await using http = await connect('session-1');
  expect((await http.call('read', { path: tree.at('home/c.txt') })).isError).toBe(true);
});

test('a pinned project is all that may be reached, whatever the client lists', async () => {
  using tree = tempTree(entries);
  await using pair = await connectLegacy({
    roots: [tree.at('home')],
    options: { project: tree.at('srv/app'), merge: 'operator' },
  });
  expect((await pair.call('source')).text).toBe('pinned');
  expect(await reached(pair, tree)).toBe('srv/app');
});

describe('rules of the operator', () => {
  const policy = {
    allow: ['read' as const],
    roots: { vault: { allow: ['read' as const, 'write' as const] } },
  };
  const write = {
    write:
      (rootward: LegacyPair['rootward']) =>
      async (context: object, { path = '' }: { path?: string | undefined }) =>
        rootward.access(context, { operation: 'write', path }, async ({ boundary, relative }) => {
          await boundary.write(relative, 'taken');
          return 'written';
        }),
  };
  const connect = async (tree: TempTree, setup: LegacySetup): Promise<LegacyPair> =>
    connectLegacy({
      tools: write,
      ...setup,
      options: { ceiling: [tree.at('vault')], policy, ...setup.options },
    });

  test.each(['union', 'client'] as const)(
    'are not taken by a client that names its root alike: %s',
    async (merge) => {
      using tree = tempTree(['vault/', 'theirs/']);
      await using pair = await connect(tree, { options: { merge } });
      pair.client.answers.set('roots/list', () => ({
        roots: [
          { uri: `file://${tree.at('theirs')}`, name: 'vault' },
          { uri: `file://${tree.at('vault')}`, name: 'vault' },
        ],
      }));
      // Negative control: at the real place the rule allows.
      expect((await pair.call('write', { path: tree.at('vault/x') })).text).toBe('written');
      expect((await pair.call('write', { path: tree.at('theirs/x') })).data).toMatchObject({
        error: { code: 'DENIED' },
      });
    },
  );

  test('are not inherited by the made-up name of a second root', async () => {
    using tree = tempTree(['vault/', 'a/x/', 'b/x/']);
    const named = { allow: ['read' as const], roots: { 'x-2': { allow: ['write' as const] } } };
    await using pair = await connect(tree, {
      roots: [tree.at('a/x'), tree.at('b/x')],
      options: { merge: 'client', policy: named },
    });
    for (const path of [tree.at('a/x/new'), tree.at('b/x/new')])
      expect((await pair.call('write', { path })).data).toMatchObject({ error: { code: 'DENIED' } });
  });

  test('apply to a client root within a directory of the operator', async () => {
    using tree = tempTree(['vault/sub/']);
    const audit = createMemorySink();
    await using pair = await connect(tree, {
      roots: [tree.at('vault/sub')],
      sessionId: 'session-1',
      options: { audit },
    });
    expect((await pair.call('write', { path: tree.at('vault/sub/x') })).text).toBe('written');
    expect((await pair.call('write', { path: tree.at('vault/x') })).isError).toBe(true);
  });
});

describe('the argument that names the project of one call', () => {
  const options = { argument: true } as const;

  test('counts for that call', async () => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({ roots: [tree.at('srv'), tree.at('home')], options });
    expect((await pair.call('where', { cwd: tree.at('home') })).text).toBe('home');
    expect((await pair.call('where', { project: tree.at('srv/app') })).text).toBe('app');
    expect((await pair.call('read', { cwd: tree.at('srv/app'), path: 'a.txt' })).text).toBe('app');
    expect((await pair.call('where')).text).toBe('srv');
    expect(pair.client.asked()).toBe(1);
  });

  test('is ignored without the option', async () => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({ roots: [tree.at('srv'), tree.at('home')] });
    expect((await pair.call('where', { cwd: tree.at('home') })).text).toBe('srv');
  });

  test.each<[string, LegacySetup]>([
    ['the roots of the client', { roots: ['srv'] }],
    ['the directories of the operator', { capabilities: {}, options: { ceiling: ['srv'] } }],
    ['the project that was found', { capabilities: {}, options: { cwd: 'own' } }],
    ['nothing at all', { capabilities: {} }],
  ])('is refused outside of %s, and grants nothing', async (_ceiling, setup) => {
    using tree = tempTree(entries);
    await using pair = await connectLegacy({
      ...setup,
      ...(setup.roots && { roots: setup.roots.map((name) => tree.at(name)) }),
      options: {
        ...options,
        ...(setup.options?.ceiling && { ceiling: setup.options.ceiling.map((name) => tree.at(name)) }),
        ...(setup.options?.cwd !== undefined && { cwd: tree.at(setup.options.cwd) }),
      },
    });
    const injected = { cwd: tree.at('home') };
    expect((await pair.call('where', injected)).isError).toBe(true);
    expect((await pair.call('read', { ...injected, path: 'c.txt' })).isError).toBe(true);
    expect((await pair.call('read', { ...injected, path: tree.at('home/c.txt') })).isError).toBe(true);
  });

  test('moves within the detected project, without changing access', async () => {
    using tree = tempTree(['ws/package.json = {"name":"ws"}', 'ws/lib/a.txt = in lib']);
    await using pair = await connectLegacy({ capabilities: {}, options: { ...options, cwd: tree.at('ws') } });
    const there = { cwd: tree.at('ws/lib') };
    expect((await pair.call('where', there)).text).toBe('lib');
    expect((await pair.call('read', { ...there, path: 'a.txt' })).text).toBe('in lib');
    expect((await pair.call('paths', there)).text).toBe(tree.at('ws'));
  });

  test('may name any project with the preset "anywhere", and grants nothing by it', async () => {
    using tree = tempTree(['ws/.blue/', 'ws/a.txt = ws', 'far/.blue/', 'far/b.txt']);
    await using pair = await connectLegacy({
      capabilities: {},
      options: { ...options, preset: 'rfc-0020', cwd: tree.at('ws') },
    });
    expect((await pair.call('where', { cwd: tree.at('far') })).text).toBe('far');
    expect((await pair.call('read', { cwd: tree.at('far'), path: 'b.txt' })).isError).toBe(true);
    expect((await pair.call('read', { cwd: tree.at('ws'), path: 'a.txt' })).text).toBe('ws');
  });
});

test('HTTP defaults to intersect and stdio to union', () => {
  const settings = readSettings({});
  expect(modeOf(settings, { overHttp: true })).toBe('intersect');
  expect(modeOf(settings, { overHttp: false })).toBe('union');
  expect(modeOf(readSettings({ merge: 'client' }), { overHttp: true })).toBe('client');
  expect((['union', 'client', 'intersect', 'operator'] as const).map(mayWiden)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
