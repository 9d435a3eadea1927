import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { Client as ClientV112 } from 'sdk-1.12/client/index.js';
import { expect, test } from 'vitest';
import { heard, pairs } from '../../../test/client/client-pairs.ts';
import { connectPeer, type RootsClient } from './client-peer.ts';

const info = { name: 'test', version: '1.0.0' };

// What does not fit here does not compile.
const clients: readonly (readonly [string, RootsClient])[] = [
  ['SDK v1', new ClientV1(info)],
  ['SDK 1.12', new ClientV112(info)],
  ['SDK v2', new ClientV2(info)],
];

test.each(clients)('a client of %s that is not connected tells nobody', async (_name, client) => {
  const peer = connectPeer(client, 'files');
  peer.answer(async () => ({ roots: [] }));
  expect(await peer.notify()).toBe(false);
});

test.each(Object.entries(pairs))(
  'with %s the latest answer counts, and its signal is given',
  async (name, make) => {
    const pair = make();
    const peer = connectPeer(pair.client, 'files');
    peer.answer(async () => ({ roots: [{ uri: 'file:///one' }] }));
    let signal: AbortSignal | undefined;
    peer.answer(async (given) => {
      signal = given;
      return { roots: [{ uri: 'file:///two' }] };
    });
    await pair.connect();
    expect(await pair.ask()).toEqual({ roots: [{ uri: 'file:///two' }] });
    expect(signal).toBeInstanceOf(AbortSignal);
    const isTold = !name.endsWith('2026');
    expect(await peer.notify()).toBe(isTold);
    if (isTold) await heard(pair, 1);
    await pair.client.close();
    expect(await peer.notify()).toBe(false);
  },
);

test('a client that declared roots itself may be connected already', async () => {
  const make = pairs['SDK v2, 2025'];
  const pair = make?.();
  if (pair === undefined) throw new Error('no pair');
  (pair.client as unknown as ClientV2).registerCapabilities({ roots: {} });
  await pair.connect();
  connectPeer(pair.client, 'files').answer(async () => ({ roots: [] }));
  expect(await pair.ask()).toEqual({ roots: [] });
  await pair.client.close();
});
