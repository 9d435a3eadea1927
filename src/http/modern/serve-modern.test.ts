import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/http/eventually.ts';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { head, openSocket, send } from '../../../test/support/http/raw.ts';
import { newSealingKey } from '../exchange/request-state.ts';
import { checkStandardHeaders } from './serve-modern.ts';

describe('2026-07-28', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { roots: {} },
  };
  const named = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
  const modern = (differently: object = {}, name = 'echo'): object => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: { text: 'x' }, _meta: meta, ...differently },
  });

  test('works without a session', async () => {
    await using endpoint = await openEndpoint();
    const response = await send(endpoint, { headers: named, body: modern() });
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({ id: 1, result: { content: [{ text: 'x' }] } });
  });

  test.each<[string, readonly [number, number], Record<string, string>, object]>([
    [
      'a method in the header that is not that of the body',
      [400, -32_020],
      { 'mcp-method': 'tools/list' },
      modern(),
    ],
    ['a name in the header that is not that of the body', [400, -32_020], { 'mcp-name': 'other' }, modern()],
    [
      'a version in the header that is not that of the body',
      [400, -32_020],
      { 'mcp-protocol-version': '2025-11-25' },
      modern(),
    ],
    [
      'a revision that does not exist',
      [400, -32_022],
      { 'mcp-protocol-version': '2027-01-01' },
      modern({ _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } }),
    ],
    ['no envelope', [400, -32_602], {}, modern({ _meta: {} })],
    [
      'a method that does not exist',
      [404, -32_601],
      { 'mcp-method': 'no/such' },
      { jsonrpc: '2.0', id: 1, method: 'no/such', params: { _meta: meta } },
    ],
    [
      'roots of a client that has none',
      [400, -32_021],
      { 'mcp-name': 'roots' },
      modern({ _meta: { ...meta, 'io.modelcontextprotocol/clientCapabilities': {} } }, 'roots'),
    ],
    [
      'a state that is not ours',
      [200, -32_602],
      { 'mcp-name': 'roots' },
      modern({ requestState: 'v1.a.b.c' }, 'roots'),
    ],
  ])('refuses %s', async (_what, [status, code], headers, body) => {
    await using endpoint = await openEndpoint();
    const response = await send(endpoint, { headers: { ...named, ...headers }, body });
    expect(response.status).toBe(status);
    expect(response.json()).toMatchObject({ id: 1, error: { code } });
  });

  test.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])('requires the header %s', async (name) => {
    await using endpoint = await openEndpoint();
    const headers = Object.fromEntries(Object.entries(named).filter(([key]) => key !== name));
    const response = await send(endpoint, { headers, body: modern() });
    expect(response.status).toBe(400);
    expect(response.json().error?.code).toBe(-32_020);
  });

  test('does not allow batches', async () => {
    await using endpoint = await openEndpoint();
    expect((await send(endpoint, { headers: named, body: [modern()] })).status).toBe(400);
  });

  test('accepts a notification', async () => {
    await using endpoint = await openEndpoint();
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'notifications/x' };
    const body = { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: meta } };
    expect((await send(endpoint, { headers, body })).status).toBe(202);
  });

  test('cancels a call when the client disconnects', async () => {
    await using endpoint = await openEndpoint();
    const socket = await openSocket(endpoint);
    const body = JSON.stringify(modern({}, 'wait'));
    socket.write(head(endpoint, { ...named, 'mcp-name': 'wait', 'content-length': body.length }) + body);
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['x']));
    socket.destroy();
    await eventually(() => expect(endpoint.stage.waits.aborted).toEqual(['x']));
  });

  test('is served by any node with the same key, also during key rotation', async () => {
    const [old, fresh] = [newSealingKey(), newSealingKey()];
    await using one = await openEndpoint({ sealingKeys: [old] });
    await using other = await openEndpoint({ sealingKeys: [fresh, old] });
    await using stranger = await openEndpoint();
    const headers = { ...named, 'mcp-name': 'roots' };
    const asked = await send(one, { headers, body: modern({}, 'roots') });
    const { requestState } = asked.json()['result'] as { requestState: string };
    expect(asked.json()).toMatchObject({ result: { resultType: 'input_required' } });
    const inputResponses = { roots: { roots: [{ uri: 'file:///srv/app' }] } };
    const body = modern({ requestState, inputResponses }, 'roots');
    expect((await send(other, { headers, body })).text).toContain('file:///srv/app');
    expect((await send(stranger, { headers, body })).json().error?.code).toBe(-32_602);
  });

  test('is refused by a server that does not support it', async () => {
    await using endpoint = await openEndpoint({
      createServer: () => new McpServerV1({ name: 'old', version: '1' }),
    });
    const response = await send(endpoint, { headers: named, body: modern() });
    expect(response.json()).toMatchObject({ id: 1, error: {} });
  });
});

const version = { 'mcp-protocol-version': '2026-07-28' };

function request(
  method: string,
  params: Record<string, unknown>,
): Parameters<typeof checkStandardHeaders>[1] {
  return { jsonrpc: '2.0', id: 1, method, params };
}

test.each([
  ['tools/call', { name: 'echo' }, 'echo'],
  ['tools/call', { name: 'héllo' }, '=?base64?aMOpbGxv?='],
  ['resources/read', { uri: 'file:///a' }, 'file:///a'],
  ['prompts/get', { name: 'x' }, ' x '],
  ['tools/call', {}, 'whatever'],
])('%s with %j accepts the header %j', (method, params, name) => {
  const headers = { ...version, 'mcp-method': method, 'mcp-name': name };
  expect(checkStandardHeaders(headers, request(method, params))).toBeUndefined();
});

test.each([
  ['tools/call', { name: 'echo' }, 'Echo'],
  ['tools/call', { name: 'echo' }, '=?base64?###?='],
  ['tools/call', { name: 'echo' }, ''],
  ['resources/read', { uri: 'file:///a' }, 'file:///b'],
])('%s with %j rejects the header %j', (method, params, name) => {
  const headers = { ...version, 'mcp-method': method, 'mcp-name': name };
  expect(checkStandardHeaders(headers, request(method, params))).toContain('Mcp-Name');
});

test('a method without a name needs no Mcp-Name header', () => {
  const headers = { ...version, 'mcp-method': 'tools/list' };
  expect(checkStandardHeaders(headers, request('tools/list', {}))).toBeUndefined();
});
