import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { tempTree } from '../../src/testing/temp-tree.ts';
import { connectHttp } from '../support/peers/connect-http.ts';
import { sdkNames } from '../support/peers/sdks.ts';
import { bothErasListener, sseListener, statelessListener } from '../support/peers/http-listeners.ts';
import { listen, sessionListener } from '../support/peers/http-sessions.ts';
import { olderClients } from '../support/peers/sdk-client.ts';

const pairs = sdkNames.flatMap((sdk) => olderClients.map((client) => ({ sdk, client })));

const reached = [
  { mode: 'answers in streams, and the client has one of its own', json: false, get: true, way: 'POST' },
  { mode: 'answers in streams, and the client has none of its own', json: false, get: false, way: 'POST' },
  { mode: 'answers in JSON, and the client has a stream of its own', json: true, get: true, way: 'GET' },
];

describe.each(reached)('a server with sessions that $mode', ({ json, get, way }) => {
  // Where answers are JSON, the other way is the only one that leads to the client.
  if (!json) slowClock();

  (json ? test.concurrent : test).each(pairs)(
    'SDK $sdk asks a client of SDK $client once, and once more after a change',
    async (pair) => {
      using tree = tempTree(['app/.git/', 'docs/.git/']);
      const [app, docs] = [tree.at('app'), tree.at('docs')];
      const options = { ...alone, ceiling: [tree.path] };
      await using endpoint = await listen(sessionListener({ ...pair, json, get, options }));
      await using client = await connectHttp({ ...pair, url: endpoint.url, roots: [app] });

      const first = await client.call('plain');
      expect(first.data).toMatchObject({ name: 'app', source: 'roots', roots: [app] });
      expect(first.milliseconds).toBeLessThan(options.timeout);
      expect(client.asked()).toBe(1);
      await client.call('plain');
      expect(client.asked()).toBe(0);
      expect((await client.call('counts')).data).toEqual({ entries: 2, finallys: 2 });

      await client.change([docs]);
      expect((await client.call('plain')).data).toMatchObject({ name: 'docs', roots: [docs] });
      expect(client.asked()).toBe(1);
      expect(client.carriers).toEqual(pair.client === 'v1.12' ? [] : [way, way]);
    },
  );
});

describe('a server with sessions that answers in JSON, and the client has no stream of its own', () => {
  test.concurrent.each(pairs)('SDK $sdk cannot ask a client of SDK $client, and waits once', async (pair) => {
    using tree = tempTree(['app/.git/']);
    const options = { ...alone, ceiling: [tree.path], timeout: 1_500 };
    await using endpoint = await listen(sessionListener({ ...pair, json: true, get: false, options }));
    await using client = await connectHttp({ ...pair, url: endpoint.url, roots: [tree.at('app')] });

    const first = await client.call('where');
    expect(first.data).toMatchObject({ source: 'operator', why: expect.stringContaining('did not answer') });
    const next = await client.call('where');
    expect(next.milliseconds).toBeLessThan(options.timeout);
    expect(client.asked()).toBe(0);
  });
});

describe('a server with sessions', () => {
  slowClock();

  test.each(pairs)('SDK $sdk asks a client of SDK $client once for many calls at a time', async (pair) => {
    using tree = tempTree(['app/.git/']);
    const options = { ...alone, ceiling: [tree.path] };
    await using endpoint = await listen(sessionListener({ ...pair, options }));
    await using client = await connectHttp({ ...pair, url: endpoint.url, roots: [tree.at('app')] });
    const told = await Promise.all(Array.from({ length: 20 }, async () => client.call('where')));
    expect(new Set(told.map(({ data }) => data['name']))).toEqual(new Set(['app']));
    expect(client.asked()).toBe(1);
  });

  test.each(sdkNames)('SDK %s keeps its clients apart', async (sdk) => {
    using tree = tempTree(['app/.git/', 'docs/.git/']);
    const options = { ...alone, ceiling: [tree.path] };
    await using endpoint = await listen(sessionListener({ sdk, options }));
    await using one = await connectHttp({ client: 'v1', url: endpoint.url, roots: [tree.at('app')] });
    await using other = await connectHttp({ client: 'v2', url: endpoint.url, roots: [tree.at('docs')] });
    const told = await Promise.all([one.call('where'), other.call('where')]);
    expect(told.map(({ data }) => data['name'])).toEqual(['app', 'docs']);
    await one.change([tree.at('docs')]);
    await other.call('where');
    expect(other.asked()).toBe(1);
  });
});

describe('a server for each request', () => {
  test.each(olderClients)('never asks a client of SDK %s, which it could not hear', async (name) => {
    using tree = tempTree(['app/.git/']);
    const options = { ...alone, ceiling: [tree.path] };
    await using endpoint = await listen(statelessListener({ options }));
    await using client = await connectHttp({ client: name, url: endpoint.url, roots: [tree.at('app')] });
    const { data, milliseconds } = await client.call('where');
    expect(data).toMatchObject({ source: 'operator', why: expect.stringContaining('was not asked') });
    expect(milliseconds).toBeLessThan(options.timeout);
    expect(client.asked()).toBe(0);
  });

  test('asks a client of 2026-07-28 once in each call, and preflight keeps the body to one run', async () => {
    using tree = tempTree(['app/.git/']);
    const counters = { entries: 0, finallys: 0 };
    const options = { ...alone, ceiling: [tree.path] };
    await using endpoint = await listen(statelessListener({ options, counters }));
    await using client = await connectHttp({
      client: 'v2 in 2026',
      url: endpoint.url,
      roots: [tree.at('app')],
    });
    for (let call = 0; call < 2; call += 1) {
      expect((await client.call('plain')).data).toMatchObject({ name: 'app', roots: [tree.at('app')] });
      expect(client.asked()).toBe(1);
    }
    expect(counters).toEqual({ entries: 4, finallys: 4 });
    expect((await client.call('preflighted')).data).toMatchObject({ name: 'app' });
    expect(client.asked()).toBe(1);
    expect(counters).toEqual({ entries: 5, finallys: 5 });
  });

  test('loses no call of a client of 2026-07-28 that declared nothing', async () => {
    using tree = tempTree(['app/.git/']);
    await using endpoint = await listen(
      statelessListener({ options: { ...alone, ceiling: [tree.at('app')] } }),
    );
    await using client = await connectHttp({ client: 'v2 in 2026', url: endpoint.url });
    expect(await client.call('where')).toMatchObject({ isError: false, data: { name: 'app' } });
  });
});

describe('one URL for both eras', () => {
  slowClock();

  test.each([...olderClients, 'v2 in 2026' as const])('serves a client of SDK %s', async (name) => {
    using tree = tempTree(['app/.git/']);
    const options = { ...alone, ceiling: [tree.path] };
    await using endpoint = await listen(bothErasListener({ options }));
    await using client = await connectHttp({ client: name, url: endpoint.url, roots: [tree.at('app')] });
    expect((await client.call('plain')).data).toMatchObject({ name: 'app' });
    expect((await client.call('plain')).data).toMatchObject({ name: 'app' });
    expect(client.asked()).toBe(name === 'v2 in 2026' ? 2 : 1);
  });
});

describe('the transport of 2024-11-05', () => {
  test.each(olderClients)('carries the question to a client of SDK %s', async (name) => {
    using tree = tempTree(['app/.git/', 'docs/.git/']);
    const options = { ...alone, ceiling: [tree.path] };
    await using endpoint = await listen(sseListener({ options }));
    await using client = await connectHttp({
      client: name,
      url: endpoint.url,
      roots: [tree.at('app')],
      sse: true,
    });
    expect((await client.call('plain')).data).toMatchObject({ name: 'app' });
    await client.call('plain');
    expect(client.asked()).toBe(1);
    await client.change([tree.at('docs')]);
    expect((await client.call('plain')).data).toMatchObject({ name: 'docs' });
  });
});

/**
 * After 0.7 s of silence a client is asked in another way, too, and on a busy machine everything is silent for longer:
 * where questions are counted, the clock goes on in small steps, at most one for each turn of the process.
 */
function slowClock(): void {
  beforeAll(() => {
    const steps = { shouldAdvanceTime: true, advanceTimeDelta: 5 };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], ...steps });
  });
  afterAll(() => void vi.useRealTimers());
}

/** Nothing from this process tells a project, and clients have time to answer. */
const alone = { environment: {}, cwd: '/', timeout: 10_000 } as const;
