import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createEventHub } from './event-hub.ts';

test('every page hears what happens, and one that goes is no longer counted', async () => {
  const sizes: number[] = [];
  const hub = createEventHub({ onChange: (size) => sizes.push(size), keepAliveMs: 20 });
  const server = createServer((_, response) => hub.open(response, { kind: 'hello', server: 'x' })).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = get({ port, host: '127.0.0.1' });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => (text += part));
  response.on('error', () => {});
  expect(response.headers['content-type']).toBe('text/event-stream');
  hub.send({ kind: 'roots', revision: 3 });
  await expect.poll(() => text).toContain('data: {"kind":"roots","revision":3}\n\n');
  expect(text.startsWith('retry: 1000\ndata: {"kind":"hello"')).toBe(true);
  await expect.poll(() => text).toContain(': still here');
  request.on('error', () => {}).destroy();
  await expect.poll(() => sizes).toEqual([1, 0]);
  hub.close();
  server.close();
});
