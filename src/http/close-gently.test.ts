import { describe, expect, test } from 'vitest';
import { eventually } from '../../test/http/eventually.ts';
import { openEndpoint } from '../../test/http/open-endpoint.ts';
import {
  beginSession,
  call,
  head,
  initialize,
  openSocket,
  openStream,
  readAll,
  send,
} from '../../test/http/raw.ts';
import { connectClient } from '../../test/http/clients.ts';

describe('the end of an endpoint', () => {
  test('lets what is under way finish, and takes nothing new', async () => {
    const endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const waiting = send(endpoint, { headers, body: call(1, 'wait', { text: 'a' }) });
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a']));
    const socket = await openSocket(endpoint);
    socket.write(head(endpoint, { ...headers, 'content-length': 2 }));
    const closed = endpoint.close();
    socket.write('{}');
    socket.end();
    await expect(send(endpoint, { body: initialize })).rejects.toThrow('ECONNREFUSED');
    for (const release of endpoint.stage.release) release();
    expect((await waiting).text).toContain('released');
    await closed;
    await expect(endpoint.close()).resolves.toBeUndefined();
  });

  test('does not wait for ever, and says so to who still waits', async () => {
    const endpoint = await openEndpoint({ limits: { graceMs: 50 } });
    const headers = await beginSession(endpoint);
    const waiting = send(endpoint, { headers, body: call(1, 'wait', { text: 'a' }) });
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a']));
    const modern = send(endpoint, modernWait);
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a', 'b']));
    await endpoint.close();
    for (const answer of [await waiting, await modern]) {
      expect(answer.json().error?.message).toContain('shutting down, and the call was not completed');
    }
    await eventually(() => expect(endpoint.stage.waits.aborted.toSorted()).toEqual(['a', 'b']));
  });

  test('under load fails no call that it took', async () => {
    const endpoint = await openEndpoint();
    await using client = await connectClient('v2 in 2025', endpoint);
    let answered = 0;
    const load = Array.from({ length: 8 }, async (_, worker) => {
      for (let index = 0; index < 1_000; index += 1) {
        try {
          expect(await client.call('echo', { text: `${worker}.${index}` })).toBe(`${worker}.${index}`);
          answered += 1;
        } catch {
          return;
        }
      }
    });
    await eventually(() => expect(answered).toBeGreaterThan(50));
    await endpoint.close();
    await Promise.all(load);
    // Besides the calls a server was built for initialize and for initialized.
    expect(answered).toBe(endpoint.stage.built.length - 2);
  });

  test('ends streams for notifications at once', async () => {
    const endpoint = await openEndpoint({ notifications: true });
    const events = await openStream(endpoint, await beginSession(endpoint));
    await endpoint.close();
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test('refuses on a connection that is still open, and says so to whoever watches', async () => {
    const endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const waiting = send(endpoint, { headers, body: call(1, 'wait', { text: 'a' }) });
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a']));
    const [late, health] = [await openSocket(endpoint), await openSocket(endpoint)];
    const begin = head(endpoint, { ...headers, 'content-length': 2 });
    late.write(begin.slice(0, 20));
    health.write('GET /healthz HTTP/1.1\r\n');
    // Both are known to be busy once a request behind them has been answered.
    await send(endpoint, { method: 'GET', path: '/healthz' });
    const closed = endpoint.close();
    late.write(`${begin.slice(20)}{}`);
    health.write(`Host: 127.0.0.1:${endpoint.port}\r\n\r\n`);
    expect(await readAll(late)).toContain('503 Service Unavailable');
    expect(await readAll(health)).toContain('{"status":"closing"}');
    for (const release of endpoint.stage.release) release();
    await waiting;
    await closed;
  });
});

const modernWait = {
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'wait' },
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'wait',
      arguments: { text: 'b' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
} as const;
