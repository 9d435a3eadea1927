import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { connectClient } from '../../test/support/http/clients.ts';
import { eventually } from '../../test/support/http/eventually.ts';
import { openEndpoint, token } from '../../test/support/http/open-endpoint.ts';
import {
  beginSession,
  call,
  head,
  initialize,
  openSocket,
  openStream,
  readAll,
  send,
} from '../../test/support/http/raw.ts';
import { tempTree, type TempTree } from '../testing/temp-tree.ts';
import { paceConnections } from './connections.ts';

const requestConnections = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

/** `silence` is how many milliseconds a connection may stay silent. */
async function open(
  answer: () => void,
  silence = 20_000,
): Promise<{ server: Server; port: number; dismiss: () => void }> {
  const server = createServer((_request, response) => {
    answer();
    response.end('served');
  });
  const dismiss = paceConnections(server, silence);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, dismiss };
}

async function read(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += String(chunk);
  return text;
}

test('serves a single connection, and every one of many', async () => {
  const { server, port } = await open(() => {});
  for (const count of [1, 100]) {
    const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').end(requestConnections));
    for (const text of await Promise.all(sockets.map(read))) expect(text).toContain('served');
  }
  server.close();
});

test('takes a few of many simultaneous connections per turn', async () => {
  const perTurn: number[] = [];
  let count = 0;
  const { server, port } = await open(() => (count += 1));
  const watch = (): void => {
    perTurn.push(count);
    count = 0;
    if (server.listening) setImmediate(watch);
  };
  watch();
  // All are connected before the first one sends anything.
  const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.end(requestConnections);
  for (const text of await Promise.all(sockets.map(read))) expect(text).toContain('served');
  // One turn takes a few, plus a few more once those have made room.
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(16);
  server.close();
});

test('drops a silent connection after a while, and at once when closing', async () => {
  const { server, port, dismiss } = await open(() => {}, 100);
  expect(await read(connect(port, '127.0.0.1'))).toBe('');
  const silent = connect(port, '127.0.0.1');
  await once(server, 'connection');
  const closed = once(server, 'close');
  dismiss();
  server.close();
  await closed;
  expect(await read(silent)).toBe('');
});

test('serves a request that arrives in pieces', async () => {
  const { server, port } = await open(() => {});
  const socket = connect(port, '127.0.0.1');
  const answer = read(socket);
  for (const piece of requestConnections.match(/[^]{1,7}/g) ?? []) {
    socket.write(piece);
    await new Promise(setImmediate);
  }
  expect(await answer).toContain('served');
  server.close();
});

test('a connection that breaks while it waits does not affect the others', async () => {
  const { server, port } = await open(() => {});
  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.resetAndDestroy();
  expect(await read(connect(port, '127.0.0.1').end(requestConnections))).toContain('served');
  server.close();
});

describe('closing an endpoint', () => {
  test('lets running calls finish and accepts no new ones', async () => {
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

  test('waits for no body that has not arrived, while running calls get their grace', async () => {
    const endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const waiting = send(endpoint, { headers, body: call(1, 'wait', { text: 'a' }) });
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a']));
    const socket = await openSocket(endpoint);
    socket.write(`${head(endpoint, { ...headers, 'content-length': 100 })}{"half":`);
    // Its head has been read once a request sent after it has been answered.
    await send(endpoint, { method: 'GET', path: '/healthz' });
    const closed = endpoint.close();
    expect(await readAll(socket)).toContain('503 Service Unavailable');
    for (const release of endpoint.stage.release) release();
    expect((await waiting).text).toContain('released');
    await closed;
  });

  test('cuts calls that outlast the grace period, with an error to their clients', async () => {
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

  test('completes every call it accepted, even under load', async () => {
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
    // Besides the calls, a server is built for initialize and one for initialized.
    expect(answered).toBe(endpoint.stage.built.length - 2);
  });

  test('ends notification streams at once', async () => {
    const endpoint = await openEndpoint({ notifications: true });
    const events = await openStream(endpoint, await beginSession(endpoint));
    await endpoint.close();
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test('refuses requests on a kept-alive connection and reports "closing" to health checks', async () => {
    const endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const waiting = send(endpoint, { headers, body: call(1, 'wait', { text: 'a' }) });
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a']));
    const [late, health] = [await openSocket(endpoint), await openSocket(endpoint)];
    const begin = head(endpoint, { ...headers, 'content-length': 2 });
    late.write(begin.slice(0, 20));
    health.write('GET /healthz HTTP/1.1\r\n');
    // Both connections are known to be busy once a request sent after them has been answered.
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

function privateTree(entries: readonly string[] = []): TempTree {
  const tree = tempTree(entries);
  chmodSync(tree.path, 0o700);
  return tree;
}

async function statusOf(socketPath: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const usual = {
    host: 'localhost',
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const outgoing = request({ socketPath, path: '/mcp', method: 'POST', headers: { ...usual, ...headers } });
  outgoing.end(JSON.stringify(initialize));
  const [response] = await once(outgoing, 'response');
  response.resume();
  return response.statusCode;
}

describe.skipIf(process.platform === 'win32')('a socket in the file system', () => {
  test('is served like a port, with the same checks, and removed at the end', async () => {
    using tree = privateTree();
    const socket = tree.at('mcp.sock');
    const endpoint = await openEndpoint({ socket });
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(await statusOf(socket)).toBe(200);
    expect(await statusOf(socket, { authorization: 'Bearer x' })).toBe(401);
    expect(await statusOf(socket, { host: 'evil.example' })).toBe(403);
    await endpoint.close();
    expect(existsSync(socket)).toBe(false);
  });

  test('left behind by a killed process is replaced', async () => {
    using tree = privateTree();
    const socket = tree.at('mcp.sock');
    const leave = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', leave]);
    expect(existsSync(socket)).toBe(true);
    await using endpoint = await openEndpoint({ socket });
    expect(endpoint.url).toBe('http://localhost/mcp');
    expect(await statusOf(socket)).toBe(200);
  });

  test('with a live listener is not replaced', async () => {
    using tree = privateTree();
    const socket = tree.at('mcp.sock');
    await using endpoint = await openEndpoint({ socket });
    await expect(openEndpoint({ socket })).rejects.toThrow('something else listens there');
    expect(await statusOf(socket)).toBe(200);
    expect(endpoint.kinds()).toEqual(['session-begun']);
  });

  test('does not replace a regular file', async () => {
    using tree = privateTree(['mcp.sock = mine']);
    await expect(openEndpoint({ socket: tree.at('mcp.sock') })).rejects.toThrow('something is there');
  });

  test.each([0o770, 0o707, 0o1777])('is refused where others can write: %o', async (mode) => {
    using tree = privateTree();
    chmodSync(tree.path, mode);
    const opening = openEndpoint({ socket: tree.at('mcp.sock') });
    await expect(opening).rejects.toMatchObject({ code: 'CANNOT_LISTEN' });
    await expect(opening).rejects.toThrow(`others can write to "${tree.path}"`);
    expect(existsSync(tree.at('mcp.sock'))).toBe(false);
  });

  test('is refused in a directory that is not there', async () => {
    using tree = privateTree();
    await expect(openEndpoint({ socket: tree.at('no/mcp.sock') })).rejects.toMatchObject({
      code: 'CANNOT_LISTEN',
    });
  });
});
