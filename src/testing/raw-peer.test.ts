import { expect, test } from 'vitest';
import { asksIn, createRawPeer, inputRequestsIn, type RawPeer } from './raw-peer.ts';
import { linkWires, type Wire, type WireMessage, type WireRecord } from './wires.ts';

test('distinguishes a result, an error and the end of the connection', async () => {
  const { peer, other } = await connect();
  other.onmessage = ({ id, method }) =>
    void (method === 'close'
      ? other.close()
      : other.send({ id, ...(method === 'good' ? { result: { a: 1 } } : { error: { code: 1 } }) }));
  expect(await peer.request('good', {})).toEqual({ kind: 'result', result: { a: 1 } });
  expect(await peer.request('bad', {})).toEqual({ kind: 'error', error: { code: 1 } });
  expect(await peer.request('close', {})).toEqual({ kind: 'closed' });
  expect(peer.closed).toBe(true);
  expect(await peer.request('good', {})).toEqual({ kind: 'closed' });
});

test('waits for a limited time, and ignores a late answer', async () => {
  const { peer, other } = await connect(20);
  const asked = new Promise<WireMessage>((resolve) => (other.onmessage = resolve));
  expect(await peer.request('any', {})).toEqual({ kind: 'silence' });
  await other.send({ id: (await asked)['id'], result: {} });
  other.onmessage = ({ id }) => void other.send({ id, result: { next: true } });
  expect(await peer.request('any', {})).toEqual({ kind: 'result', result: { next: true } });
});

test('passes on requests of the other side, but not notifications', async () => {
  const asked: unknown[] = [];
  const { other } = await connect(1_000, ({ method }) => asked.push(method));
  await other.send({ id: 1, method: 'roots/list' });
  await other.send({ method: 'notifications/message' });
  await other.send({ id: 2, method: 'ping' });
  await Promise.resolve();
  expect(asked).toEqual(['roots/list', 'ping']);
});

async function connect(
  bound = 1_000,
  asked: (request: WireMessage) => void = () => undefined,
): Promise<{ peer: RawPeer; other: Wire }> {
  const { client, server } = linkWires();
  const peer = createRawPeer(client, { bound, asked });
  await client.start();
  await server.start();
  return { peer, other: server };
}

const records: readonly WireRecord[] = [
  { from: 'server', message: { id: 1, method: 'roots/list' } },
  { from: 'client', message: { id: 2, method: 'roots/list' } },
  { from: 'server', message: { id: 3, result: { inputRequests: { a: { method: 'roots/list' }, b: null } } } },
  { from: 'server', message: { id: 4, result: null } },
  { from: 'server', message: { id: 5, method: 'elicitation/create' } },
];

test('counts requests and questions of the server only', () => {
  expect(asksIn(records)).toBe(2);
  expect(asksIn(records, 'elicitation/create')).toBe(1);
  expect(asksIn([])).toBe(0);
});

test('a result without questions has none', () => {
  expect(inputRequestsIn({ result: null })).toEqual({});
  expect(inputRequestsIn({ result: { inputRequests: { a: 1 } } })).toEqual({ a: 1 });
});
