import type { RpcId, RpcMessage } from '../../http/exchange/json-rpc.ts';
import { type ByteSpan, scanObject, valueAt } from './scan-message.ts';

/** One message as it came, with what is needed to route it. */
export interface WireFrame {
  /** The line with its line break. */
  readonly bytes: Buffer;
  /** Absent in notifications, and in answers to a message without a readable id. */
  readonly id: RpcId | undefined;
  /** Absent in answers. */
  readonly method: string | undefined;
  /** Where the values of its fields are. */
  readonly fields: ReadonlyMap<string, ByteSpan>;
}

/** Reads a line. Returns `undefined` if it is no message. */
export function readFrame(bytes: Buffer): WireFrame | undefined {
  const fields = scanObject(bytes);
  if (fields === undefined || !fields.has('jsonrpc')) return undefined;
  const id = valueAt(bytes, fields.get('id'));
  const method = valueAt(bytes, fields.get('method'));
  return {
    bytes,
    id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
    method: typeof method === 'string' ? method : undefined,
    fields,
  };
}

/** Makes a frame of a message of ours. */
export function frameOf(message: object): WireFrame {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  return readFrame(bytes) ?? { bytes, id: undefined, method: undefined, fields: new Map() };
}

/** The whole message. */
export function messageIn({ bytes }: WireFrame): RpcMessage {
  return JSON.parse(bytes.toString('utf8')) as RpcMessage;
}

/** Parses a value inside a frame, found by the names of the fields that lead to it; nothing else is parsed. */
export function valueIn({ bytes, fields }: WireFrame, first: string, ...names: readonly string[]): unknown {
  let span = fields.get(first);
  for (const name of names) span = span && scanObject(bytes, span.start)?.get(name);
  return valueAt(bytes, span);
}

/** The bytes of a frame with another value in one of its fields, and everything else as it came. */
export function replaceField({ bytes, fields }: WireFrame, name: string, value: unknown): Buffer {
  const span = fields.get(name);
  if (span === undefined) return bytes;
  const text = Buffer.from(JSON.stringify(value));
  return Buffer.concat([bytes.subarray(0, span.start), text, bytes.subarray(span.end)]);
}

/** An answer to a request. */
export function errorReply(id: RpcId | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

export function resultReply(id: RpcId, result: object): object {
  return { jsonrpc: '2.0', id, result };
}
