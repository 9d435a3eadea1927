import { describe, expect, test } from 'vitest';
import { connectLegacy, type LegacyPair, type LegacySetup } from '../support/peers/connect-legacy.ts';
import { silence } from '../support/peers/raw-client.ts';
import { sdkNames } from '../support/peers/sdks.ts';
import { toFileUri } from '../../src/path/file-uri.ts';
import { tempTree } from '../../src/testing/temp-tree.ts';
import { connectHere } from '../support/processes/connect.ts';
import { quotesFrom } from '../support/docs/seed-quotes.ts';

const quote = quotesFrom('003');

/** Steps 3 and 4 name these paths; they need not be there to be inside. */
const inside = '/home/user/project/x.lua';
const outside = '/var/log/x';

/** A server as in seed 003: a tool that asks, and a tool that looks without waiting. */
async function connect(setup: LegacySetup): Promise<LegacyPair> {
  const pair = await connectLegacy({
    ...setup,
    options: { preset: 'adr-009', ...setup.options },
    tools: {
      check_path:
        (rootward) =>
        (context, { path = '' }) => ({
          content: [{ type: 'text', text: JSON.stringify({ result: rootward.contains(context, path) }) }],
        }),
      fetch_roots: (rootward) => async (context) =>
        `count=${(await rootward.workspace(context)).roots.length}`,
    },
  });
  return pair;
}

const twoRoots = (project: string, more: string) => ({
  roots: [{ uri: toFileUri(project) }, { uri: toFileUri(more), name: 'more' }],
});

const checkPath = async (pair: LegacyPair, path: string): Promise<unknown> =>
  JSON.parse((await pair.call('check_path', { path })).text);

describe.each(sdkNames)('seed 003, verified end to end, on SDK %s', (sdk) => {
  test(quote('check_path before any fetch → result key absent (caller treats as nil)'), async () => {
    using tree = tempTree(['project/']);
    await using pair = await connect({ sdk, roots: [tree.at('project')] });
    expect(await checkPath(pair, tree.at('project/x.lua'))).toEqual({});
    expect(pair.rootward.contains(undefined, tree.at('project/x.lua'))).toBeUndefined();
    expect(pair.client.asked()).toBe(0);
  });

  test(quote('roots/list request appears on SSE with no params'), async () => {
    using tree = tempTree(['project/']);
    await using pair = await connect({ sdk, roots: [tree.at('project')] });
    const called = pair.call('fetch_roots');
    const question = await pair.client.question();
    expect(question).toMatchObject({ jsonrpc: '2.0', method: 'roots/list' });
    expect(question).not.toHaveProperty('params');
    await called;
  });

  test(
    quote('Simulated client posts back two roots — callback fires with count=2, cache populated'),
    async () => {
      using tree = tempTree(['project/', 'more/']);
      await using pair = await connect({ sdk });
      pair.client.answers.set('roots/list', () => silence);
      const called = pair.call('fetch_roots');
      const { id } = await pair.client.question();
      await pair.client.send({ jsonrpc: '2.0', id, result: twoRoots(tree.at('project'), tree.at('more')) });
      expect((await called).text).toBe('count=2');
      expect((await pair.call('fetch_roots')).text).toBe('count=2');
      expect((await pair.call('paths')).text).toBe(`${tree.at('project')} ${tree.at('more')}`);
      expect(pair.client.asked()).toBe(1);
    },
  );

  test(quote('check_path "/home/user/project/x.lua" → true; "/var/log/x" → false'), async () => {
    using tree = tempTree(['home/user/project/', 'more/']);
    await using pair = await connect({ sdk });
    pair.client.answers.set('roots/list', () => twoRoots(tree.at('home/user/project'), tree.at('more')));
    await pair.call('fetch_roots');
    expect(await checkPath(pair, tree.at(inside))).toEqual({ result: true });
    expect(await checkPath(pair, toFileUri(tree.at(inside)))).toEqual({ result: true });
    expect(await checkPath(pair, tree.at('more'))).toEqual({ result: true });
    expect(await checkPath(pair, tree.at(outside))).toEqual({ result: false });
    expect(await checkPath(pair, outside)).toEqual({ result: false });
    expect(await checkPath(pair, '/etc/shadow')).toEqual({ result: false });
    expect(pair.rootward.contains(undefined, tree.at(inside))).toBe(true);
    expect(pair.rootward.contains(undefined, outside)).toBe(false);
  });

  test(
    quote(
      'Client posts notifications/roots/list_changed → no response (correctly suppressed); cache invalidated',
    ),
    async () => {
      using tree = tempTree(['project/', 'other/']);
      await using pair = await connect({ sdk, roots: [tree.at('project')] });
      await pair.call('fetch_roots');
      const sent = pair.records.length;
      await pair.changed();
      await pair.client.request('ping');
      const fromServer = pair.records.slice(sent).filter(({ from }) => from === 'server');
      expect(fromServer.map(({ message }) => Object.keys(message).toSorted())).toEqual([
        ['id', 'jsonrpc', 'result'],
      ]);
      pair.list(tree.at('other'));
      await pair.call('fetch_roots');
      expect(await checkPath(pair, tree.at('other/x'))).toEqual({ result: true });
      expect(await checkPath(pair, tree.at('project/x'))).toEqual({ result: false });
    },
  );

  test(quote('Subsequent check_path → nil (cache cleared)'), async () => {
    using tree = tempTree(['project/']);
    await using pair = await connect({ sdk, roots: [tree.at('project')] });
    await pair.call('fetch_roots');
    expect(await checkPath(pair, tree.at('project/x'))).toEqual({ result: true });
    await pair.changed();
    expect(await checkPath(pair, tree.at('project/x'))).toEqual({});
    expect(pair.rootward.contains(undefined, tree.at('project/x'))).toBeUndefined();
    expect(pair.client.asked()).toBe(1);
    await pair.call('fetch_roots');
    expect(await checkPath(pair, tree.at('project/x'))).toEqual({ result: true });
    expect(pair.client.asked()).toBe(2);
  });
});

test(
  quote(
    'Cache the result of roots/list per session; invalidate on receipt of notifications/roots/list_changed',
  ),
  async () => {
    using tree = tempTree(['one/', 'two/']);
    await using one = await connect({
      roots: [tree.at('one')],
      sessionId: 'a',
      options: { merge: 'client' },
    });
    await using two = await connect({
      roots: [tree.at('two')],
      sessionId: 'b',
      options: { merge: 'client' },
    });
    await one.call('fetch_roots');
    expect(await checkPath(one, tree.at('one'))).toEqual({ result: true });
    expect(await checkPath(two, tree.at('two'))).toEqual({});
    await two.call('fetch_roots');
    await one.changed();
    expect(await checkPath(one, tree.at('one'))).toEqual({});
    expect(await checkPath(two, tree.at('two'))).toEqual({ result: true });
  },
);

test(quote('for opt-in path enforcement (does not auto-enforce — tools choose to call it)'), async () => {
  using tree = tempTree(['project/']);
  await using pair = await connect({ roots: [tree.at('project')] });
  pair.server.tool('free', () => 'did it');
  expect((await pair.call('free')).text).toBe('did it');
  expect(pair.client.asked()).toBe(0);
});

test(quote('Handles both file:// URIs and bare paths uniformly'), async () => {
  using tree = tempTree(['project/', 'docs/']);
  await using pair = await connect({});
  // Bare paths are what some clients send; the protocol wants URIs.
  pair.client.answers.set('roots/list', () => ({
    roots: [{ uri: tree.at('project') }, { uri: toFileUri(tree.at('docs')) }],
  }));
  await pair.call('fetch_roots');
  for (const path of [tree.at('project/x'), toFileUri(tree.at('project/x')), tree.at('docs/x')])
    expect([path, await checkPath(pair, path)]).toEqual([path, { result: true }]);
});

test(quote('it can refuse paths outside declared roots, default cwd to the first root'), async () => {
  using tree = tempTree(['first/a.txt = a', 'second/', 'out/b.txt = b']);
  const roots = [tree.at('first'), tree.at('second')];
  await using client = await connectHere('v2', { roots });
  expect(await client.call('read_text_file', { path: 'a.txt' })).toMatchObject({ text: 'a' });
  const { isError, text } = await client.call('read_text_file', { path: tree.at('out/b.txt') });
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('outside the roots') });
});

test(quote('no field — server consumes, doesn’t advertise'), async () => {
  await using client = await connectHere('v2', { roots: [] });
  const raw = client.raw as { getServerCapabilities(): object | undefined };
  expect(Object.keys(raw.getServerCapabilities() ?? {})).not.toContain('roots');
});
