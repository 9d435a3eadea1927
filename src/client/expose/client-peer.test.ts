import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { Client as ClientV112 } from 'sdk-1.12/client/index.js';
import { expect, test } from 'vitest';
import { heard, pairs } from '../../../test/support/peers/client-pairs.ts';
import { RootwardError } from '../../errors.ts';
import {
  connectPeer,
  type ProtocolError,
  rootAccessDenied,
  type RootsClient,
  rootsNotAvailable,
  rootsNotSupported,
  toProtocolError,
} from './client-peer.ts';

const info = { name: 'test', version: '1.0.0' };

// A client that does not fit fails to compile.
const clients: readonly (readonly [string, RootsClient])[] = [
  ['SDK v1', new ClientV1(info)],
  ['SDK 1.12', new ClientV112(info)],
  ['SDK v2', new ClientV2(info)],
];

test.each(clients)('a client of %s that is not connected sends no notification', async (_name, client) => {
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

test('accepts a connected client that declared roots itself', async () => {
  const make = pairs['SDK v2, 2025'];
  const pair = make?.();
  if (pair === undefined) throw new Error('no pair');
  (pair.client as unknown as ClientV2).registerCapabilities({ roots: {} });
  await pair.connect();
  connectPeer(pair.client, 'files').answer(async () => ({ roots: [] }));
  expect(await pair.ask()).toEqual({ roots: [] });
  await pair.client.close();
});

test.each<[string, ProtocolError, object]>([
  [
    'not supported',
    rootsNotSupported(),
    {
      code: -32_601,
      message: 'Roots not supported',
      data: { reason: 'Client does not have roots capability' },
    },
  ],
  [
    'denied',
    rootAccessDenied(),
    { code: -32_603, message: 'Root access denied', data: { reason: 'Insufficient permissions' } },
  ],
  [
    'not available',
    rootsNotAvailable('x'),
    { code: -32_603, message: 'Roots not available', data: { reason: 'x' } },
  ],
])('%s', (_what, error, expected) => {
  expect({ code: error.code, message: error.message, data: error.data }).toEqual(expected);
  expect(toProtocolError(error)).toBe(error);
});

test.each<[unknown, number, object]>([
  [new RootwardError('INVALID_URI', { uri: 'x:y', reason: 'no' }), -32_602, { uri: 'x:y', reason: 'no' }],
  [
    new RootwardError('NO_PERMISSION', { verb: 'open', path: '/secret' }),
    -32_603,
    { reason: 'Insufficient permissions' },
  ],
  [
    new RootwardError('AUDIT_FAILED', { reason: '/secret' }),
    -32_603,
    { reason: 'the answer could not be recorded' },
  ],
  [
    new RootwardError('STORE_DAMAGED', { file: '/secret', line: 1, column: 1, reason: '' }),
    -32_603,
    { reason: 'an internal error' },
  ],
  [new Error('/secret'), -32_603, { reason: 'an internal error' }],
  ['/secret', -32_603, { reason: 'an internal error' }],
])('%s is reported without a path', (error, code, data) => {
  const told = toProtocolError(error);
  expect([told.code, told.data]).toEqual([code, data]);
  expect(`${told.message} ${JSON.stringify(told.data)}`).not.toContain('secret');
});
