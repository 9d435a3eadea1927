import { describe, expect, test } from 'vitest';
import { connectLegacy, type LegacyPair, type LegacySetup } from '../support/peers/connect-legacy.ts';
import { silence } from '../support/peers/raw-client.ts';
import { sdkNames } from '../support/peers/sdks.ts';
import { toFileUri } from '../../src/path/file-uri.ts';
import { tempTree } from '../../src/testing/temp-tree.ts';

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
  test('1. check_path before any fetch → result key absent (caller treats as nil)', async () => {
    using tree = tempTree(['project/']);
    await using pair = await connect({ sdk, roots: [tree.at('project')] });
    expect(await checkPath(pair, tree.at('project/x.lua'))).toEqual({});
    expect(pair.rootward.contains(undefined, tree.at('project/x.lua'))).toBeUndefined();
    expect(pair.client.asked()).toBe(0);
  });

  test('2. a tool asks for the roots → roots/list appears on the wire with no params', async () => {
    using tree = tempTree(['project/']);
    await using pair = await connect({ sdk, roots: [tree.at('project')] });
    const called = pair.call('fetch_roots');
    const question = await pair.client.question();
    expect(question).toMatchObject({ jsonrpc: '2.0', method: 'roots/list' });
    expect(question).not.toHaveProperty('params');
    await called;
  });

  test('3. the client posts back two roots — the call goes on with count=2, and they are known from then on', async () => {
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
  });

  test('4. check_path inside → true; outside → false', async () => {
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

  test('5. the client posts notifications/roots/list_changed → no response; what was known is void', async () => {
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
  });

  test('6. check_path after that → nil (what was known is cleared)', async () => {
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

test('what one session knows is not what another knows', async () => {
  using tree = tempTree(['one/', 'two/']);
  await using one = await connect({ roots: [tree.at('one')], sessionId: 'a', options: { merge: 'client' } });
  await using two = await connect({ roots: [tree.at('two')], sessionId: 'b', options: { merge: 'client' } });
  await one.call('fetch_roots');
  expect(await checkPath(one, tree.at('one'))).toEqual({ result: true });
  expect(await checkPath(two, tree.at('two'))).toEqual({});
  await two.call('fetch_roots');
  await one.changed();
  expect(await checkPath(one, tree.at('one'))).toEqual({});
  expect(await checkPath(two, tree.at('two'))).toEqual({ result: true });
});

test('a tool that does not look is not kept from anything: enforcing is a choice', async () => {
  using tree = tempTree(['project/']);
  await using pair = await connect({ roots: [tree.at('project')] });
  pair.server.tool('free', () => 'did it');
  expect((await pair.call('free')).text).toBe('did it');
  expect(pair.client.asked()).toBe(0);
});
