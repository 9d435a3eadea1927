import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../test/support/http/eventually.ts';
import { createMemory } from '../../server/connection/connection-memory.ts';
import { closeAfter, type HttpConnection, openServer, type ServerLike } from './server-like.ts';

const connection: HttpConnection = {
  era: 'legacy',
  memory: createMemory(),
  sessionId: 's',
  principal: 'p',
  requestState: { seal: () => '', verify: () => undefined },
};

const newServer = (connect: () => Promise<void>): ServerLike & { close: ReturnType<typeof vi.fn> } => ({
  connect,
  close: vi.fn<() => Promise<void>>(async () => {}),
});

test('closes a server that cannot be connected', async () => {
  const server = newServer(async () => {
    throw new Error('no');
  });
  await expect(openServer(() => server, connection, {})).rejects.toThrow('no');
  expect(server.close).toHaveBeenCalledOnce();
});

test('closes a server when its response is sent, or at once if the client has left', async () => {
  const responses: ServerResponse[] = [];
  const http = createServer((_request, response) => void responses.push(response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const answered = fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  await eventually(() => expect(responses).toHaveLength(1));
  const [response = new ServerResponse({} as never)] = responses;
  const [early, late] = [newServer(async () => {}), newServer(async () => {})];
  expect(closeAfter(response, early)).toBe(true);
  expect(early.close).not.toHaveBeenCalled();
  response.end('x');
  await (await answered).text();
  await eventually(() => expect(early.close).toHaveBeenCalledOnce());
  response.destroy();
  expect(closeAfter(response, late)).toBe(false);
  expect(late.close).toHaveBeenCalledOnce();
  http.close();
  http.closeAllConnections();
});
