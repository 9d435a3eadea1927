import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createEventHub, type EventHub, type WindowCounts } from './event-hub.ts';

interface Listener {
  readonly text: () => string;
  readonly go: () => void;
}

async function serve(hub: EventHub): Promise<{ listen(): Promise<Listener>; close(): void }> {
  const server = createServer((_, response) => hub.open(response, 'x')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const listen = async (): Promise<Listener> => {
    const request = get({ port, host: '127.0.0.1' });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => (text += part));
    response.on('error', () => {});
    expect(response.headers['content-type']).toBe('text/event-stream');
    await expect.poll(() => text).toContain('\n\n');
    return { text: () => text, go: () => void request.on('error', () => {}).destroy() };
  };
  return { listen, close: () => void server.close() };
}

function streamOf(listener: Listener): string {
  return /"stream":"([^"]+)"/.exec(listener.text())?.[1] ?? '';
}

test('every page gets events, and a closed one is no longer counted', async () => {
  const sizes: number[] = [];
  const hub = createEventHub({ onChange: (_, size) => sizes.push(size), keepAliveMs: 20 });
  const site = await serve(hub);
  const page = await site.listen();
  hub.send({ kind: 'roots', revision: 3 });
  await expect.poll(page.text).toContain('data: {"kind":"roots","revision":3}\n\n');
  expect(page.text().startsWith('retry: 1000\ndata: {"kind":"hello","server":"x","stream":"')).toBe(true);
  await expect.poll(page.text).toContain(': still here');
  page.go();
  await expect.poll(() => sizes).toEqual([1, 0]);
  hub.close();
  site.close();
});

test('windows count while their stream is open, and none is visible before the page says so', async () => {
  const told: WindowCounts[] = [];
  const hub = createEventHub({ onChange: (windows) => told.push(windows) });
  const site = await serve(hub);
  const [one, other] = [await site.listen(), await site.listen()];
  expect(told.at(-1)).toEqual({ visible: 0, hidden: 2 });
  hub.setWindows(streamOf(one), { visible: 2, hidden: 1 });
  hub.setWindows('no such stream', { visible: 9, hidden: 9 });
  expect(told.at(-1)).toEqual({ visible: 2, hidden: 2 });
  one.go();
  await expect.poll(() => told.at(-1)).toEqual({ visible: 0, hidden: 1 });
  other.go();
  await expect.poll(() => told.at(-1)).toEqual({ visible: 0, hidden: 0 });
  hub.close();
  site.close();
});
