import { expect, test } from 'vitest';
import { checkStandardHeaders } from './check-standard-headers.ts';

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
])('of %s with %j the header %j is right', (method, params, name) => {
  const headers = { ...version, 'mcp-method': method, 'mcp-name': name };
  expect(checkStandardHeaders(headers, request(method, params))).toBeUndefined();
});

test.each([
  ['tools/call', { name: 'echo' }, 'Echo'],
  ['tools/call', { name: 'echo' }, '=?base64?###?='],
  ['tools/call', { name: 'echo' }, ''],
  ['resources/read', { uri: 'file:///a' }, 'file:///b'],
])('of %s with %j the header %j is wrong', (method, params, name) => {
  const headers = { ...version, 'mcp-method': method, 'mcp-name': name };
  expect(checkStandardHeaders(headers, request(method, params))).toContain('Mcp-Name');
});

test('a method without a name needs no such header', () => {
  const headers = { ...version, 'mcp-method': 'tools/list' };
  expect(checkStandardHeaders(headers, request('tools/list', {}))).toBeUndefined();
});
