import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, test, vi } from 'vitest';
import { connectClient, sessionKinds } from '../../../test/support/http/clients.ts';
import { eventually } from '../../../test/support/http/eventually.ts';
import { exampleServer, newStage } from '../../../test/support/http/example-server.ts';
import { openEndpoint, otherToken } from '../../../test/support/http/open-endpoint.ts';
import { askForRoots, beginSession, call, initialize, send } from '../../../test/support/http/raw.ts';
import { unreachable } from '../../../test/support/http/unreachable.ts';
import { openMemoryStore } from '../../sessions/memory-store.ts';

describe('a batch', () => {
  test('of 2025-03-26 is answered as one, whatever it contains', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint, { version: '2025-03-26' });
    const body = [
      call(1, 'echo', { text: 'a' }),
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      call(2, 'memory'),
      { jsonrpc: '2.0', id: 3, method: 'no/such' },
    ];
    const response = await send(endpoint, { headers, body });
    const answers = response.json() as unknown as { id: number }[];
    expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, result: { content: [{ text: 'a' }] } },
      { id: 2, result: { content: [{ text: expect.stringContaining('"generation":1') }] } },
      { id: 3, error: { code: -32_601 } },
    ]);
  });

  test('without requests is accepted', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint, { version: '2025-03-26' });
    const body = [{ jsonrpc: '2.0', method: 'notifications/initialized' }];
    expect((await send(endpoint, { headers, body })).status).toBe(202);
  });

  test.each<[string, string, unknown]>([
    ['of a later revision', '2025-11-25', [call(1, 'echo', { text: 'a' })]],
    ['with initialize', '2025-03-26', [initialize]],
    ['with one id twice', '2025-03-26', [call(1, 'echo', { text: 'a' }), call(1, 'echo', { text: 'b' })]],
    ['that is endless', '2025-03-26', Array.from({ length: 51 }, (_, id) => call(id, 'echo', { text: 'a' }))],
    ['with something else in it', '2025-03-26', [call(1, 'echo', { text: 'a' }), 5]],
  ])('%s is refused as a whole', async (_what, version, body) => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint, { version });
    const before = endpoint.stage.built.length;
    expect((await send(endpoint, { headers, body })).status).toBe(400);
    expect(endpoint.stage.built).toHaveLength(before);
  });
});

describe('an answer', () => {
  test('reaches the node that asked without a session lookup, and only from the client that was asked', async () => {
    const store = openMemoryStore();
    const touch = vi.spyOn(store, 'touch');
    await using endpoint = await openEndpoint({ sessions: store });
    const [mine, other] = [await beginSession(endpoint), await beginSession(endpoint)];
    const { id, rest } = await askForRoots(endpoint, mine);
    touch.mockClear();
    const body = { jsonrpc: '2.0', id, result: { roots: [] } };
    const stranger = { ...mine, authorization: `Bearer ${otherToken}` };
    expect((await send(endpoint, { headers: other, body })).status).toBe(400);
    expect((await send(endpoint, { headers: stranger, body })).status).toBe(404);
    expect(touch).toHaveBeenCalledTimes(2);
    touch.mockClear();
    expect((await send(endpoint, { headers: mine, body })).status).toBe(202);
    expect(touch).not.toHaveBeenCalled();
    expect((await rest.next()).value).toMatchObject({ result: {} });
    // A second copy is refused, and the session still exists.
    expect((await send(endpoint, { headers: mine, body })).status).toBe(400);
    await store.remove(mine['mcp-session-id'] ?? '');
    expect((await send(endpoint, { headers: mine, body })).status).toBe(404);
    await store.close();
  });
});

describe('the same call a second time', () => {
  test('is refused, because it might have side effects', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const body = call(1, 'echo', { text: 'x' });
    expect((await send(endpoint, { headers, body })).status).toBe(200);
    expect((await send(endpoint, { headers, body })).status).toBe(409);
  });

  test('is answered if the first one was refused', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const stranger = { ...headers, authorization: `Bearer ${otherToken}` };
    const body = call(1, 'echo', { text: 'x' });
    const refused = await send(endpoint, { headers: { ...headers, 'mcp-protocol-version': '1999' }, body });
    expect(refused.status).toBe(400);
    expect((await send(endpoint, { headers: stranger, body })).status).toBe(404);
    expect((await send(endpoint, { headers, body })).status).toBe(200);
    expect((await send(endpoint, { headers, body })).status).toBe(409);
    // The refusal did not claim it.
    expect((await send(endpoint, { headers, body })).json().error?.message).toContain('another id');
  });

  test('is answered if the tool has no side effects', async () => {
    await using endpoint = await openEndpoint({ repeatable: ({ params }) => params?.['name'] === 'echo' });
    const headers = await beginSession(endpoint);
    const echo = call(1, 'echo', { text: 'x' });
    expect((await send(endpoint, { headers, body: echo })).status).toBe(200);
    expect((await send(endpoint, { headers, body: echo })).status).toBe(200);
    expect((await send(endpoint, { headers, body: call(2, 'memory') })).status).toBe(200);
    expect((await send(endpoint, { headers, body: call(2, 'memory') })).status).toBe(409);
  });
});

const anything = {
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
};

const bearer = (value: string): Record<string, string> => ({ authorization: `Bearer ${value}` });

describe('a session', () => {
  test('with an unknown version is refused', async () => {
    await using endpoint = await openEndpoint();
    const headers = { ...(await beginSession(endpoint)), 'mcp-protocol-version': '1999-01-01' };
    expect((await send(endpoint, { headers, body: call(1, 'echo', { text: 'x' }) })).status).toBe(400);
  });

  test.each(sessionKinds)('of SDK %s works with a server of SDK v1', async (kind) => {
    await using endpoint = await openEndpoint({
      createServer: ({ memory }) => {
        const server = new McpServerV1({ name: 'old', version: '1' });
        server.tool('roots', async ({ sendRequest }) => {
          const { roots } = await sendRequest({ method: 'roots/list' }, anything as never, {
            timeout: 5_000,
          });
          const { clientInfo } = memory.current().initialize as { clientInfo: { name: string } };
          return { content: [{ type: 'text', text: JSON.stringify([clientInfo.name, roots]) }] };
        });
        return server;
      },
    });
    await using client = await connectClient(kind, endpoint);
    expect(JSON.parse(await client.call('roots'))).toMatchObject(['tester', [{ uri: 'file:///srv/app' }]]);
  });

  test('is not found with another token, with the same message as an unknown one', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    expect((await send(endpoint, { headers: mine, body: call(1, 'echo', { text: 'x' }) })).status).toBe(200);
    const theirs = { ...mine, ...bearer(otherToken) };
    const stolen = await send(endpoint, { headers: theirs, body: call(2, 'echo', { text: 'x' }) });
    const unknown = await send(endpoint, {
      headers: { ...theirs, 'mcp-session-id': '00000000-0000-4000-8000-000000000000' },
      body: call(2, 'echo', { text: 'x' }),
    });
    expect(stolen.status).toBe(404);
    expect(stolen.text).toBe(unknown.text);
    expect(stolen.json().error?.code).toBe(-32_001);
    expect(endpoint.events.at(-2)).toMatchObject({
      kind: 'foreign-session',
      session: mine['mcp-session-id'],
    });
    expect(endpoint.events.at(-1)).toMatchObject({ kind: 'unknown-session' });
  });

  test('expires when it is idle', async () => {
    const sessions = openMemoryStore({ idle: 100 });
    await using endpoint = await openEndpoint({ sessions });
    const headers = await beginSession(endpoint);
    await eventually(async () => expect(await sessions.count()).toBe(0));
    const response = await send(endpoint, { headers, body: call(1, 'echo', { text: 'x' }) });
    expect(response.status).toBe(404);
    expect(response.json().error?.code).toBe(-32_001);
    await sessions.close();
  });

  test('in an unavailable store is refused at once, with Retry-After', async () => {
    const sessions = openMemoryStore();
    await using endpoint = await openEndpoint({ sessions: unreachable(sessions) });
    const responses = await Promise.all([
      send(endpoint, { body: initialize }),
      send(endpoint, { headers: { 'mcp-session-id': 'x' }, body: call(1, 'echo', { text: 'x' }) }),
      send(endpoint, { method: 'DELETE', headers: { 'mcp-session-id': 'x' } }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
    for (const { headers } of responses) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await sessions.close();
  });

  test('that fails for another reason is not reported as unavailable', async () => {
    const sessions = openMemoryStore();
    vi.spyOn(sessions, 'remove').mockRejectedValue(new Error('a fault of ours'));
    await using endpoint = await openEndpoint({ sessions });
    const headers = await beginSession(endpoint);
    const response = await send(endpoint, { method: 'DELETE', headers });
    expect(response.status).toBe(500);
    expect(response.headers['retry-after']).toBeUndefined();
    expect(response.text).not.toContain('a fault of ours');
    await sessions.close();
  });
});

describe('ending a session', () => {
  test('needs the same token', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    expect(
      (await send(endpoint, { method: 'DELETE', headers: { ...mine, ...bearer(otherToken) } })).status,
    ).toBe(404);
    expect((await send(endpoint, { headers: mine, body: call(1, 'echo', { text: 'x' }) })).status).toBe(200);
  });

  test('by DELETE also ends its running calls', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    const waiting = send(endpoint, { headers: mine, body: call(1, 'wait', { text: 'a' }) });
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a']));
    expect((await send(endpoint, { method: 'DELETE', headers: mine })).status).toBe(204);
    expect((await waiting).json()).toMatchObject({ id: 1, error: { message: 'The session is over' } });
    await eventually(() => expect(endpoint.stage.waits.aborted).toEqual(['a']));
    expect((await send(endpoint, { headers: mine, body: call(2, 'echo', { text: 'x' }) })).status).toBe(404);
  });
});

describe('an answer to a question', () => {
  test('from another session is refused and recorded, and the right one still counts', async () => {
    await using endpoint = await openEndpoint();
    const [mine, other] = [await beginSession(endpoint), await beginSession(endpoint)];
    const { id, rest } = await askForRoots(endpoint, mine);
    const lie = { jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///etc' }] } };
    expect((await send(endpoint, { headers: other, body: lie })).status).toBe(400);
    expect(endpoint.kinds()).toContain('forged-answer');
    const truth = { jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///srv/mine' }] } };
    expect((await send(endpoint, { headers: mine, body: truth })).status).toBe(202);
    const answer = JSON.stringify((await rest.next()).value);
    expect(answer).toContain('file:///srv/mine');
    expect(answer).not.toContain('file:///etc');
  });

  test('that comes a second time is refused', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    const { id } = await askForRoots(endpoint, mine);
    const answer = { jsonrpc: '2.0', id, result: { roots: [] } };
    const statuses = [];
    for (let time = 0; time < 2; time += 1)
      statuses.push(await send(endpoint, { headers: mine, body: answer }));
    expect(statuses.map(({ status }) => status)).toEqual([202, 400]);
  });

  test.each(['x', 1, `${'a'.repeat(16)}.${'b'.repeat(16)}`, '../x', ''])(
    'to the unknown question %j is refused',
    async (id) => {
      await using endpoint = await openEndpoint();
      const mine = await beginSession(endpoint);
      const response = await send(endpoint, { headers: mine, body: { jsonrpc: '2.0', id, result: {} } });
      expect(response.status).toBe(400);
    },
  );

  test('is no longer awaited once the client has disconnected', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    const { id, socket } = await askForRoots(endpoint, mine);
    socket.destroy();
    await eventually(async () => {
      const late = { jsonrpc: '2.0', id, result: { roots: [] } };
      expect((await send(endpoint, { headers: mine, body: late })).status).toBe(400);
    });
  });

  test('is impossible without a stream: the tool fails at once', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    const headers = { ...mine, accept: 'application/json' };
    const response = await send(endpoint, { headers, body: call(1, 'roots') });
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.text).toContain('no stream of this client is open');
  });
});

const changed = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };

test('a change of roots takes effect before the client gets its response', async () => {
  const sessions = openMemoryStore();
  await using endpoint = await openEndpoint({ sessions });
  const headers = await beginSession(endpoint);
  for (let generation = 1; generation <= 20; generation += 1) {
    expect((await send(endpoint, { headers, body: changed })).status).toBe(202);
    expect(await sessions.touch(headers['mcp-session-id'] ?? '')).toMatchObject({ generation });
  }
  await sessions.close();
});

test('the notified server sees the new generation and does not count the change again', async () => {
  await using endpoint = await openEndpoint();
  const headers = await beginSession(endpoint);
  await send(endpoint, { headers, body: changed });
  const told = endpoint.stage.built.at(-1);
  expect(told?.memory.current().generation).toBe(1);
  await told?.memory.invalidate();
  const response = await send(endpoint, { headers, body: call(1, 'memory') });
  expect(response.text).toContain('\\"generation\\":1');
});

test('only its own session can cancel a call', async () => {
  await using endpoint = await openEndpoint();
  const [mine, other] = [await beginSession(endpoint), await beginSession(endpoint)];
  const waiting = send(endpoint, { headers: mine, body: call(1, 'wait', { text: 'a' }) });
  await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a']));
  const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  expect((await send(endpoint, { headers: other, body })).status).toBe(202);
  // Another request after it: the effects of the first one are visible by now.
  await send(endpoint, { headers: other, body: call(2, 'echo', { text: 'x' }) });
  expect(endpoint.stage.waits.aborted).toEqual([]);
  for (const release of endpoint.stage.release) release();
  expect((await waiting).text).toContain('released');
});

test('the failure of a server does not reach the client', async () => {
  const stage = newStage();
  const build = exampleServer(stage);
  let broken = false;
  await using endpoint = await openEndpoint({
    createServer: (connection) => {
      if (broken) throw new Error('no');
      return build(connection);
    },
  });
  const headers = await beginSession(endpoint);
  broken = true;
  expect((await send(endpoint, { headers, body: changed })).status).toBe(202);
  expect(endpoint.events.at(-1)).toMatchObject({ kind: 'failed', error: new Error('no') });
  broken = false;
  const response = await send(endpoint, { headers, body: call(1, 'memory') });
  expect(response.text).toContain('\\"generation\\":1');
});
