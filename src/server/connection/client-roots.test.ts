import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type CallResult,
  connectLegacy,
  type LegacyPair,
  type LegacySetup,
} from '../../../test/support/peers/connect-legacy.ts';
import { type Answer, Refusal, silence } from '../../../test/support/peers/raw-client.ts';
import { sdkNames } from '../../../test/support/peers/sdks.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { RootIssue } from '../../path/root-issue.ts';
import type { CallWorkspace } from '../settings/rootward.ts';
import type { Trace } from '../settings/trace-event.ts';
import { type CaughtClients, type ClientFault, readRoots } from './client-roots.ts';

describe.each(sdkNames)('the client of a server of SDK %s', (sdk) => {
  test('is asked only when a call needs its roots', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ sdk, roots: [tree.at('app')] });
    await pair.client.request('ping');
    await pair.client.request('tools/list');
    expect(pair.client.asked()).toBe(0);
    expect((await pair.call('where')).text).toBe('app');
    expect(pair.client.asked()).toBe(1);
  });

  test('is asked once for any number of calls', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ sdk, roots: [tree.at('app')] });
    for (const name of ['where', 'paths', 'where', 'source']) await pair.call(name);
    expect(pair.client.asked()).toBe(1);
  });

  test('is never asked if it did not declare roots', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ sdk, roots: [tree.at('app')], capabilities: {} });
    expect((await pair.call('where')).isError).toBe(true);
    expect(pair.client.asked()).toBe(0);
  });

  test('gets one request for ten concurrent calls', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ sdk, roots: [tree.at('app')] });
    const results = await Promise.all(Array.from({ length: 10 }, () => pair.call('where')));
    expect(results.map(({ text }) => text)).toEqual(Array.from({ length: 10 }, () => 'app'));
    expect(pair.client.asked()).toBe(1);
  });

  test('is asked again only when a call needs them after a change', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using pair = await connectLegacy({ sdk, roots: [tree.at('app')] });
    expect((await pair.call('where')).text).toBe('app');
    pair.list(tree.at('docs'));
    await pair.changed();
    await pair.client.request('ping');
    expect(pair.client.asked()).toBe(1);
    expect((await pair.call('where')).text).toBe('docs');
    expect(pair.client.asked()).toBe(2);
  });

  test('gets one request after a thousand changes', async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using pair = await connectLegacy({ sdk, roots: [tree.at('app')] });
    await pair.call('where');
    pair.list(tree.at('docs'));
    for (let count = 0; count < 1_000; count += 1) await pair.changed();
    expect((await pair.call('where')).text).toBe('docs');
    expect((await pair.call('where')).text).toBe('docs');
    expect(pair.client.asked()).toBe(2);
  });

  test('may change its roots while it is asked: that answer is dropped', async () => {
    using tree = tempTree(['old/', 'new/']);
    await using pair = await connectLegacy({ sdk, roots: [tree.at('new')] });
    const heard: string[] = [];
    pair.rootward.on('change', ({ roots }) => heard.push(...roots.map(({ name }) => name)));
    const lists = pair.client.answers.get('roots/list');
    pair.client.answers.set('roots/list', () => silence);
    const called = pair.call('where');
    const { id } = await pair.client.question();
    await pair.changed();
    if (lists !== undefined) pair.client.answers.set('roots/list', lists);
    await pair.client.send({ jsonrpc: '2.0', id, result: { roots: [{ uri: toFileUri(tree.at('old')) }] } });
    expect((await called).text).toBe('new');
    expect(pair.client.asked()).toBe(2);
    expect(heard).toEqual([]);
  });
});

const liars: Readonly<Record<string, Answer>> = {
  'says that it does not know the method': () => {
    throw new Refusal(-32601);
  },
  'says that the request is invalid': () => {
    throw new Refusal(-32600);
  },
  'says that it failed': () => {
    throw new Refusal(-32603);
  },
  'does not answer': () => silence,
  'answers with an empty list': () => ({ roots: [] }),
  'answers without a list': () => ({}),
  'answers with a list that is none': () => ({ roots: 'file:///app' }),
};

describe.each(Object.entries(liars))('a client that declared roots and %s', (_name, answer) => {
  test('is remembered, and asked again after it announces a change', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ options: { timeout: 60 } });
    const { client } = pair;
    client.answers.set('roots/list', answer);
    for (let count = 0; count < 3; count += 1) expect((await pair.call('paths')).text).toBe('');
    expect(client.asked()).toBe(1);
    client.answers.set('roots/list', () => ({ roots: [{ uri: toFileUri(tree.at('app')) }] }));
    expect((await pair.call('paths')).text).toBe('');
    await pair.changed();
    expect((await pair.call('paths')).text).toBe(tree.at('app'));
    expect(client.asked()).toBe(2);
  });

  test('does not prevent the server from detecting a project', async () => {
    using tree = tempTree(['app/package.json = {"name":"found"}']);
    await using pair = await connectLegacy({ options: { timeout: 60, cwd: tree.at('app') } });
    pair.client.answers.set('roots/list', answer);
    expect((await pair.call('where')).text).toBe('found');
    expect((await pair.call('read', { path: 'package.json' })).text).toContain('found');
  });
});

test('a silent client costs the timeout once, and a tenth of it after a change', async () => {
  const timeout = 2_000;
  await using pair = await connectLegacy({ options: { timeout } });
  pair.client.answers.set('roots/list', () => silence);
  expect(await timed(pair)).toBeGreaterThanOrEqual(timeout - 10);
  await timed(pair);
  // A client that is not asked is not waited for.
  expect(pair.client.asked()).toBe(1);
  await pair.changed();
  expect(await timed(pair)).toBeLessThan(timeout - 10);
  expect(pair.client.asked()).toBe(2);
});

test('a late answer is used by the next call, without another request', async () => {
  using tree = tempTree(['app/']);
  await using pair = await connectLegacy({ options: { timeout: 50 } });
  pair.client.answers.set('roots/list', () => silence);
  expect((await pair.call('paths')).text).toBe('');
  const used = new Promise((resolve) => pair.rootward.on('change', resolve));
  const { id } = await pair.client.question();
  await pair.client.send({ jsonrpc: '2.0', id, result: { roots: [{ uri: toFileUri(tree.at('app')) }] } });
  await used;
  expect((await pair.call('paths')).text).toBe(tree.at('app'));
  expect(pair.client.asked()).toBe(1);
});

test('a late answer is not used after a change', async () => {
  using tree = tempTree(['old/', 'new/']);
  await using pair = await connectLegacy({ options: { timeout: 50 } });
  pair.client.answers.set('roots/list', () => silence);
  await pair.call('paths');
  const { id } = await pair.client.question();
  await pair.changed();
  await pair.client.send({ jsonrpc: '2.0', id, result: { roots: [{ uri: toFileUri(tree.at('old')) }] } });
  pair.client.answers.set('roots/list', () => ({ roots: [{ uri: toFileUri(tree.at('new')) }] }));
  expect((await pair.call('paths')).text).toBe(tree.at('new'));
});

test('a bad entry does not affect the others, and is reported', async () => {
  using tree = tempTree(['app/']);
  let workspace: CallWorkspace | undefined;
  await using pair = await connectLegacy({
    tools: {
      issues: (rootward) => async (context) => {
        workspace = await rootward.workspace(context);
        return '';
      },
    },
  });
  const uri = toFileUri(tree.at('app'));
  pair.client.answers.set('roots/list', () => ({
    roots: [
      null,
      5,
      { uri: 7 },
      { uri: 'https://x.example' },
      { uri, name: null, more: 1 },
      { uri: `${uri}/` },
    ],
  }));
  await pair.call('issues');
  expect(workspace?.roots.map(({ path, name }) => [path, name])).toEqual([[tree.at('app'), 'app']]);
  expect(workspace?.issues.map(({ code }) => code)).toEqual([
    'not-an-entry',
    'not-an-entry',
    'not-an-entry',
    'foreign-scheme',
    'duplicate',
  ]);
});

describe('a list without usable entries', () => {
  const unusable = [{ uri: 'https://x.example' }, { uri: 5 }, { uri: 'file:///${workspaceFolder}' }];

  test('counts like an empty list, and every entry is named', async () => {
    using tree = tempTree(['app/package.json = {}']);
    const warnings: string[] = [];
    const trace: Trace = (event) => {
      if (event.kind === 'warned') warnings.push(event.message);
    };
    const options = { cwd: tree.at('app'), tools: true, trace } as const;
    await using pair = await connectLegacy({ options });
    pair.client.answers.set('roots/list', () => ({ roots: unusable }));
    expect((await pair.call('paths')).text).toBe(tree.at('app'));
    const { data } = await pair.call('why');
    const { why, trail, issues } = data as unknown as Explained;
    for (const text of [why, trail.find(({ source }) => source === 'roots')?.reason ?? '', ...warnings])
      for (const entry of ['https://x.example', '{\\"uri\\":5}', 'file:///${workspaceFolder}'])
        expect(text).toContain(entry);
    expect(warnings).toHaveLength(1);
    expect(issues.map(({ code }) => code)).toEqual(['foreign-scheme', 'not-an-entry', 'placeholder']);
  });

  test('leaves the first directory that exists', async () => {
    using tree = tempTree(['app/package.json = {}', 'docs/a.txt']);
    const list = ['gone', 'docs'].map((name) => ({ uri: `file://${tree.at(name)}` }));
    await using pair = await connectLegacy({ options: { cwd: tree.at('app') } });
    pair.client.answers.set('roots/list', () => ({ roots: [...unusable, ...list] }));
    expect((await pair.call('where')).text).toBe('docs');
    expect((await pair.call('paths')).text).toBe(tree.at('docs'));
  });

  test('counts again once one of its directories appears', async () => {
    using tree = tempTree(['app/package.json = {}']);
    const options = { cwd: tree.at('app'), freshness: 0 };
    await using pair = await connectLegacy({ options, roots: [tree.at('late')] });
    expect((await pair.call('paths')).text).toBe(tree.at('app'));
    tree.add('late/a.txt');
    expect((await pair.call('paths')).text).toBe(tree.at('late'));
    expect(pair.client.asked()).toBe(1);
    // It was usable, so that its end takes it back.
    rmSync(tree.at('late'), { recursive: true });
    expect((await pair.call('paths')).text).toBe('');
  });

  test('shows dropped and repaired entries in list_roots', async () => {
    using tree = tempTree(['app/package.json = {}']);
    await using pair = await connectLegacy({ options: { tools: true } });
    pair.client.answers.set('roots/list', () => ({ roots: [...unusable, { uri: tree.at('app') }] }));
    for (const tool of ['list_roots', 'why']) {
      const { issues } = (await pair.call(tool)).data as unknown as Explained;
      expect(issues.map(({ code, effect }) => [code, effect])).toEqual([
        ['foreign-scheme', 'dropped'],
        ['not-an-entry', 'dropped'],
        ['placeholder', 'dropped'],
        ['bare-path', 'repaired'],
      ]);
    }
  });
});

interface Explained {
  readonly why: string;
  readonly trail: readonly { readonly source: string; readonly reason: string }[];
  readonly issues: readonly RootIssue[];
}

describe('the five answers', () => {
  const reasonOf = async (pair: LegacyPair): Promise<string | undefined> => {
    const { data } = await pair.call('why');
    const trail = data['trail'] as { source: string; reason: string }[];
    return trail.find(({ source }) => source === 'roots')?.reason;
  };
  const options = { tools: ['why'], timeout: 50 } as const;

  test('unasked', async () => {
    using tree = tempTree(['app/package.json = {}']);
    await using pair = await connectLegacy({ options: { cwd: tree.at('app') } });
    const { trail } = await pair.rootward.workspace();
    expect(trail.find(({ source }) => source === 'roots')?.reason).toBe('the client was not asked for roots');
  });

  test('unsupported', async () => {
    await using pair = await connectLegacy({ options, capabilities: {} });
    expect(await reasonOf(pair)).toBe('the client does not support roots');
  });

  test('empty, and empty after a withdrawal', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ options });
    expect(await reasonOf(pair)).toBe('the client has no roots');
    pair.list(tree.at('app'));
    await pair.changed();
    await pair.call('where');
    pair.list();
    await pair.changed();
    expect(await reasonOf(pair)).toBe('the client has taken its roots back');
  });

  test('listed', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ options, roots: [tree.at('app')] });
    expect(await reasonOf(pair)).toBe('it is the only one');
  });

  test('failed, with the reason', async () => {
    await using pair = await connectLegacy({ options });
    pair.client.answers.set('roots/list', () => silence);
    expect(await reasonOf(pair)).toBe('the client did not answer: no answer within 0.05 s');
  });
});

describe('withdrawn roots', () => {
  test('are gone at the next call, and not replaced by the working directory', async () => {
    using tree = tempTree(['app/a.txt = text', 'own/package.json = {}']);
    const options = { cwd: tree.at('own') };
    await using pair = await connectLegacy({ options, roots: [tree.at('app')] });
    const path = tree.at('app/a.txt');
    expect((await pair.call('read', { path })).text).toBe('text');
    pair.list();
    await pair.changed();
    expect(await pair.call('read', { path })).toMatchObject({ isError: true });
    expect((await pair.call('paths')).text).toBe('');
    expect((await pair.call('where')).text).toContain('Cannot reach any file');
    pair.list(tree.at('app'));
    await pair.changed();
    expect((await pair.call('read', { path })).text).toBe('text');
  });

  test('are gone even if the client does not answer, and each call asks again', async () => {
    using tree = tempTree(['app/a.txt = text']);
    await using pair = await connectLegacy({ options: { timeout: 50 }, roots: [tree.at('app')] });
    const path = tree.at('app/a.txt');
    expect((await pair.call('read', { path })).text).toBe('text');
    const lists = pair.client.answers.get('roots/list');
    pair.client.answers.set('roots/list', () => silence);
    await pair.changed();
    expect((await pair.call('read', { path })).isError).toBe(true);
    expect((await pair.call('read', { path })).isError).toBe(true);
    expect(pair.client.asked()).toBe(3);
    if (lists !== undefined) pair.client.answers.set('roots/list', lists);
    expect((await pair.call('read', { path })).text).toBe('text');
  });
});

describe('a call that ends while the client is asked', () => {
  test('does not affect other calls that wait for the answer', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ roots: [tree.at('app')] });
    const lists = pair.client.answers.get('roots/list');
    pair.client.answers.set('roots/list', () => silence);
    void pair.client.request('tools/call', { name: 'where', arguments: {} });
    await pair.client.question();
    const second = pair.call('where');
    await pair.client.request('ping');
    if (lists !== undefined) pair.client.answers.set('roots/list', lists);
    // The raw client counts its requests from 1, and `initialize` was the first.
    await pair.client.notify('notifications/cancelled', { requestId: 2, reason: 'changed my mind' });
    expect((await second).text).toBe('app');
    expect(pair.client.asked()).toBe(2);
  });

  test('is not counted against the client', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ roots: [tree.at('app')] });
    const lists = pair.client.answers.get('roots/list');
    pair.client.answers.set('roots/list', () => silence);
    void pair.client.request('tools/call', { name: 'where', arguments: {} });
    await pair.client.question();
    await pair.client.notify('notifications/cancelled', { requestId: 2, reason: 'changed my mind' });
    if (lists !== undefined) pair.client.answers.set('roots/list', lists);
    expect((await pair.call('where')).text).toBe('app');
  });
});

test('the wait ends at once when the client disconnects', async () => {
  let failure: unknown;
  let ended: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (ended = resolve));
  await using pair = await connectLegacy({
    options: { timeout: 60_000 },
    tools: {
      wait: (rootward) => async (context) => {
        failure = await rootward.workspace(context).catch((error: unknown) => error);
        ended();
        return '';
      },
    },
  });
  pair.client.answers.set('roots/list', () => silence);
  void pair.call('wait');
  await pair.client.question();
  await pair.client.close();
  await over;
  expect(failure).toMatchObject({ code: 'PROJECT_NOT_FOUND' });
});

test('reads a result in any format', () => {
  const unasked = { state: 'unasked' } as const;
  expect(readRoots({ roots: [] }, unasked)).toEqual({ state: 'empty', revoked: false });
  expect(readRoots({ roots: ['file:///a'] }, unasked)).toMatchObject({ state: 'listed' });
  expect(readRoots(undefined, unasked)).toEqual({
    state: 'failed',
    afterChange: false,
    reason: 'its answer is not a list of roots',
  });
  const listed = readRoots({ roots: [{ uri: 'file:///a' }] }, unasked);
  expect(readRoots({ roots: null }, listed)).toMatchObject({ state: 'failed', afterChange: true });
  expect(readRoots({ roots: [] }, listed)).toEqual({ state: 'empty', revoked: true });
});

/** Returns the duration of a call, in milliseconds. */
async function timed(pair: LegacyPair): Promise<number> {
  const started = performance.now();
  await pair.call('paths');
  return performance.now() - started;
}

function refusing(): never {
  throw new Refusal(-32601, 'no');
}

const faults: readonly [title: string, fault: ClientFault, answer: Answer, words: string][] = [
  ['is silent', 'silent', () => silence, 'no answer within 0.05 s; it did not answer on 2026-'],
  ['does not know the method', 'unknown-method', refusing, 'it did not know the method on 2026-'],
];

describe('a client that declared roots and never listed them', () => {
  const explain = async (setup: LegacySetup, answer: Answer): Promise<string> => {
    await using pair = await connectLegacy(setup);
    pair.client.answers.set('roots/list', answer);
    const result: CallResult = await pair.call('why');
    return String(result.data['why']);
  };

  test.each(faults)(
    'and %s is remembered, and forgotten once it answers',
    async (_title, fault, answer, words) => {
      using tree = tempTree(['app/package.json = {}']);
      const noted: (string | undefined)[] = [];
      const caught: CaughtClients = {
        find: async () =>
          noted.at(-1) === undefined ? undefined : { fault, at: '2026-11-17T00:00:00.000Z' },
        note: ({ name }, what) => void noted.push(what && `${name} ${what}`),
      };
      const options = { cwd: tree.at('app'), tools: true, timeout: 500, caught } as const;
      const setup = { options, clientName: 'rough' };
      expect(await explain(setup, answer)).not.toContain('not waited for');
      expect(noted).toEqual([`rough ${fault}`]);
      const again = await explain(setup, answer);
      expect(again).toContain(words);
      expect(again).toContain('so it was not waited for');
      expect(await explain(setup, () => ({ roots: [{ uri: tree.at('app') }] }))).toContain(
        'the client listed roots',
      );
      expect(noted.at(-1)).toBeUndefined();
    },
  );
});

test('of ten thousand roots that do not exist few are kept, and the rest is counted', async () => {
  using tree = tempTree(['app/package.json = {}']);
  const missing = Array.from({ length: 10_000 }, (_, index) => ({ uri: `file:///nowhere/${index}` }));
  let workspace: CallWorkspace | undefined;
  await using pair = await connectLegacy({
    tools: {
      look: (rootward) => async (ctx) => ((workspace = await rootward.workspace(ctx)), { content: [] }),
    },
  });
  pair.client.answers.set('roots/list', () => ({ roots: [...missing, { uri: `file://${tree.at('app')}` }] }));
  await pair.call('look');
  // One more than is looked at.
  expect(workspace?.roots ?? []).toEqual([]);
  await pair.changed();
  pair.client.answers.set('roots/list', () => ({
    roots: [...missing.slice(1), { uri: `file://${tree.at('app')}` }],
  }));
  await pair.call('look');
  expect(workspace?.roots.map(({ name }) => name)).toEqual(['app']);
  expect(workspace?.issues.length).toBeLessThan(330);
  expect(workspace?.issues.some(({ entry }) => /^\d+ more entries$/.test(entry))).toBe(true);
});
