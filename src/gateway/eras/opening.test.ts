import { expect, test } from 'vitest';
import { envelope, request, response } from '../../../test/support/peers/relay-eras.ts';
import {
  discoverRequest,
  discoverResult,
  initializeRequest,
  initializeResult,
  readClientOpening,
  readDiscovery,
  readInitialized,
  refusesHandshake,
} from './opening.ts';

const info = { name: 's', version: '2' };
const capabilities = { tools: { listChanged: true } };
const server = { capabilities, info, instructions: 'Read first' };
const fail = (error: object): Parameters<typeof refusesHandshake>[0] => ({ jsonrpc: '2.0', id: 1, error });

test('a client is read from initialize, or from the introduction in any request', () => {
  const clientInfo = { name: 'c', version: '1' };
  const older = request(1, 'initialize', { capabilities: { roots: {} }, clientInfo });
  expect(readClientOpening(older)).toStrictEqual({
    handshake: true,
    capabilities: { roots: {} },
    info: clientInfo,
  });
  const newer = request(1, 'tools/list', envelope({ roots: {} }));
  expect(readClientOpening(newer)).toMatchObject({ handshake: false, capabilities: { roots: {} } });
});

test.each([
  [fail({ code: -32_022, message: '' }), true],
  [fail({ code: -32_000, message: '', data: { supported: ['2026-07-28'] } }), true],
  [fail({ code: -32_602, message: '', data: { supported: ['2025-11-25', '2026-07-28'] } }), false],
  [fail({ code: -32_603, message: '' }), false],
  [response(1, {}), false],
])('%j refuses the handshake: %s', (answer, refuses) => {
  expect(refusesHandshake(answer)).toBe(refuses);
});

test('a discovery is that of a server of 2026-07-28, or none', () => {
  const result = {
    supportedVersions: ['2026-07-28'],
    capabilities,
    instructions: 'Read first',
    _meta: { 'io.modelcontextprotocol/serverInfo': info },
  };
  expect(readDiscovery(response(1, result))).toStrictEqual(server);
  expect(readDiscovery(response(1, { supportedVersions: ['2025-11-25'] }))).toBeUndefined();
  expect(readDiscovery(response(1, {}))).toBeUndefined();
});

test.each([
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-03-26'],
  ['2026-07-28', '2025-11-25'],
  ['unknown', '2025-11-25'],
  [undefined, '2025-11-25'],
])('initialize for %s is answered with %s', (protocolVersion, answered) => {
  const asked = request(1, 'initialize', { protocolVersion });
  expect(initializeResult(asked, server)).toStrictEqual({
    protocolVersion: answered,
    capabilities,
    serverInfo: info,
    instructions: 'Read first',
  });
});

test('the introduction of an older server is read back from the discovery that is made of it', () => {
  const result = { capabilities, serverInfo: info, instructions: 'Read first' };
  const opening = readInitialized(response(1, result));
  expect(opening).toStrictEqual(server);
  if (opening === undefined) return;
  expect(readDiscovery(response(2, discoverResult(opening)))).toStrictEqual(server);
});

test('an error is no introduction of a server', () => {
  expect(readInitialized(fail({ code: -32_603, message: '' }))).toBeUndefined();
});

test('the gateway speaks for the client, also for one without a name', () => {
  const client = { handshake: false, capabilities: { roots: {} }, info: undefined };
  expect(initializeRequest('a', client).params).toMatchObject({
    capabilities: { roots: {} },
    clientInfo: { name: 'unknown', version: 'unknown' },
  });
  expect(readClientOpening(discoverRequest('b', client))).toStrictEqual(client);
});
