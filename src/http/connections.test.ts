import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { paceConnections } from './connections.ts';

const request = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

async function open(answer: () => void): Promise<{ server: Server; port: number; dismiss: () => void }> {
  const server = createServer((_request, response) => {
    answer();
    response.end('served');
  });
  const dismiss = paceConnections(server, 100);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, dismiss };
}

async function read(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += String(chunk);
  return text;
}

test('who comes alone is served, and so is everybody of many', async () => {
  const { server, port } = await open(() => {});
  for (const count of [1, 100]) {
    const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').end(request));
    for (const text of await Promise.all(sockets.map(read))) expect(text).toContain('served');
  }
  server.close();
});

test('of many that come at once a few are taken in one turn', async () => {
  const perTurn: number[] = [];
  let count = 0;
  const { server, port } = await open(() => (count += 1));
  const watch = (): void => {
    perTurn.push(count);
    count = 0;
    if (server.listening) setImmediate(watch);
  };
  watch();
  // All are connected before the first one says something.
  const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.end(request);
  for (const text of await Promise.all(sockets.map(read))) expect(text).toContain('served');
  // A few at once, and a few more in the same turn that those before have made room for.
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(16);
  server.close();
});

test('who says nothing is not waited for, for long or at the end', async () => {
  const { server, port, dismiss } = await open(() => {});
  expect(await read(connect(port, '127.0.0.1'))).toBe('');
  const silent = connect(port, '127.0.0.1');
  await once(server, 'connection');
  const closed = once(server, 'close');
  dismiss();
  server.close();
  await closed;
  expect(await read(silent)).toBe('');
});

test('a request that comes in pieces is served whole', async () => {
  const { server, port } = await open(() => {});
  const socket = connect(port, '127.0.0.1');
  const answer = read(socket);
  for (const piece of request.match(/[^]{1,7}/g) ?? []) {
    socket.write(piece);
    await new Promise(setImmediate);
  }
  expect(await answer).toContain('served');
  server.close();
});

test('one that breaks while it waits harms nobody', async () => {
  const { server, port } = await open(() => {});
  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.resetAndDestroy();
  expect(await read(connect(port, '127.0.0.1').end(request))).toContain('served');
  server.close();
});
