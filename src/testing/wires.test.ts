import { expect, test } from 'vitest';
import { linkWires, type WireMessage } from './wires.ts';

test('delivers a copy of a message, in order and asynchronously', async () => {
  const { client, server, records } = linkWires();
  const seen: WireMessage[] = [];
  server.onmessage = (message) => seen.push(message);
  await server.start();
  const message = { jsonrpc: '2.0', method: 'a', params: { list: [1] } };
  const sent = client.send(message);
  expect(seen).toEqual([]);
  await sent;
  message.params.list.push(2);
  await client.send({ jsonrpc: '2.0', method: 'b' });
  await Promise.resolve();
  expect(seen.map(({ method }) => method)).toEqual(['a', 'b']);
  expect(seen[0]?.['params']).toEqual({ list: [1] });
  expect(records.map(({ from }) => from)).toEqual(['client', 'client']);
});

test('queues messages until an end is started', async () => {
  const { client, server } = linkWires();
  const seen: WireMessage[] = [];
  client.onmessage = (message) => seen.push(message);
  await server.send({ method: 'early' });
  await Promise.resolve();
  expect(seen).toEqual([]);
  await client.start();
  expect(seen).toEqual([{ method: 'early' }]);
});

test('closing one end closes both, once, and sending then fails', async () => {
  const { client, server } = linkWires();
  const closed: string[] = [];
  client.onclose = () => closed.push('client');
  server.onclose = () => closed.push('server');
  await client.start();
  await server.start();
  await server.close();
  await client.close();
  expect(closed).toEqual(['server', 'client']);
  await expect(client.send({ method: 'late' })).rejects.toThrow('Not connected');
});
