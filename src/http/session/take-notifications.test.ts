import { expect, test } from 'vitest';
import { eventually } from '../../../test/support/http/eventually.ts';
import { exampleServer, newStage } from '../../../test/support/http/example-server.ts';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { beginSession, call, send } from '../../../test/support/http/raw.ts';
import { openMemoryStore } from '../../sessions/memory-store.ts';

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
