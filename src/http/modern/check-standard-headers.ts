import type { IncomingHttpHeaders } from 'node:http';
import type { RpcRequest } from '../exchange/json-rpc.ts';

/** Which parameter the `Mcp-Name` header repeats. */
const named: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/**
 * What is wrong with the headers that 2026-07-28 requires beside the body, which the classification of the SDK
 * leaves open: those that are missing, and the name. `undefined` if nothing is.
 *
 * Not checked: `Mcp-Param-*`, which repeats arguments that a tool's schema marks. None of ours does.
 */
export function checkStandardHeaders(headers: IncomingHttpHeaders, request: RpcRequest): string | undefined {
  if (headers['mcp-protocol-version'] === undefined) return 'the MCP-Protocol-Version header is missing';
  if (headers['mcp-method'] === undefined) return 'the Mcp-Method header is missing';
  const field = named.get(request.method);
  const value = field === undefined ? undefined : request.params?.[field];
  if (typeof value !== 'string') return undefined;
  const header = headers['mcp-name'];
  if (typeof header !== 'string') return 'the Mcp-Name header is missing';
  return decodeHeader(header.trim()) === value ? undefined : 'the Mcp-Name header differs from the body';
}

const encoded = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** A value that is no plain ASCII travels as Base64 of its UTF-8. */
function decodeHeader(value: string): string | undefined {
  if (!value.startsWith('=?base64?')) return value;
  const [, text] = encoded.exec(value) ?? [];
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
}
