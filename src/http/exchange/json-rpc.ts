import { type Fields, isFields } from '../../base/fields.ts';
export type RpcId = string | number;

export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly method: string;
  readonly params?: Fields | undefined;
}

export interface RpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Fields | undefined;
}

export interface RpcResponse {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly result?: unknown;
  readonly error?: unknown;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/** The messages of one POST, sorted by kind. */
export interface PostedMessages {
  readonly batch: boolean;
  readonly requests: readonly RpcRequest[];
  readonly notifications: readonly RpcNotification[];
  readonly responses: readonly RpcResponse[];
}

/**
 * Sorts the messages of a body: a single one, or a batch as in 2025-03-26. Returns `undefined` if there is none, or
 * if any of them is not JSON-RPC: a batch is taken as a whole or not at all.
 */
export function sortMessages(body: unknown): PostedMessages | undefined {
  const batch = Array.isArray(body);
  const list: readonly unknown[] = batch ? body : [body];
  const requests: RpcRequest[] = [];
  const notifications: RpcNotification[] = [];
  const responses: RpcResponse[] = [];
  for (const entry of list) {
    if (!isMessage(entry)) return undefined;
    if (isRequest(entry)) requests.push(entry);
    else if (isNotification(entry)) notifications.push(entry);
    else responses.push(entry);
  }
  return list.length === 0 ? undefined : { batch, requests, notifications, responses };
}

export function isRequest(message: RpcMessage): message is RpcRequest {
  return 'method' in message && 'id' in message;
}

export function isNotification(message: RpcMessage): message is RpcNotification {
  return 'method' in message && !('id' in message);
}

/** Whether a value has the form of a message. Its content is not looked at. */
export function isMessage(value: unknown): value is RpcMessage {
  if (!isFields(value) || value['jsonrpc'] !== '2.0') return false;
  const { id, method, params } = value;
  if ('id' in value && typeof id !== 'string' && !Number.isSafeInteger(id)) return false;
  if ('method' in value) return typeof method === 'string' && (params === undefined || isFields(params));
  return 'id' in value && 'result' in value !== 'error' in value;
}

/**
 * Returns the id for an error about this body. Without one the error has no `id`: JSON-RPC would send null, but no
 * revision of MCP knows that as an id, its HTTP transport wants an error "that has no `id`", and clients of both
 * SDKs cannot read one with null.
 */
export function echoId(body: unknown): RpcId | undefined {
  if (!isFields(body) || typeof body['method'] !== 'string') return undefined;
  const { id } = body;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
