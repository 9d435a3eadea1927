import { McpServer, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { expect, test, vi } from 'vitest';
import type { RpcMessage } from '../exchange/json-rpc.ts';
import { ModernTransport } from './modern-transport.ts';
import type { Reply } from '../exchange/reply.ts';

const classification = { era: 'modern', revision: '2026-07-28' } as const;
const request = { jsonrpc: '2.0', id: 1, method: 'x/y', params: {} } as const;

function openTransport(): {
  transport: ModernTransport;
  sent: RpcMessage[];
  finish: ReturnType<typeof vi.fn>;
} {
  const sent: RpcMessage[] = [];
  const finish = vi.fn<Reply['finish']>();
  const reply = { canStream: true, event: (message: RpcMessage) => void sent.push(message), finish };
  return { transport: new ModernTransport(classification, reply as unknown as Reply), sent, finish };
}

test('a server that supports the revision is bound to it', async () => {
  const { transport } = openTransport();
  const supportedProtocolVersions = [...SUPPORTED_PROTOCOL_VERSIONS, '2026-07-28'];
  const server = new McpServer({ name: 'x', version: '1' }, { supportedProtocolVersions });
  await server.connect(transport);
  expect(server.server.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  await server.close();
});

test('an error of the protocol layer has an HTTP status, one of a handler has not', async () => {
  const early = openTransport();
  const unknown = { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: '' } } as const;
  early.transport.onmessage = () => void early.transport.send(unknown);
  early.transport.deliver(request);
  expect(early.finish).toHaveBeenCalledExactlyOnceWith(unknown, 404);
  const late = openTransport();
  late.transport.deliver(request);
  await late.transport.send(unknown);
  expect(late.finish).toHaveBeenCalledExactlyOnceWith(unknown, 200);
});

test('a missing capability always has an HTTP status', async () => {
  const { transport, finish } = openTransport();
  transport.deliver(request);
  await transport.send({ jsonrpc: '2.0', id: 1, error: { code: -32_021, message: '' } });
  expect(finish).toHaveBeenCalledExactlyOnceWith(expect.anything(), 400);
});

test('sends only messages of the request, and nothing after its result', async () => {
  const { transport, sent, finish } = openTransport();
  const notification = { jsonrpc: '2.0', method: 'notifications/x' } as const;
  transport.deliver(request);
  await transport.send(notification);
  await transport.send(notification, { relatedRequestId: 1 });
  await transport.send({ jsonrpc: '2.0', id: 2, result: {} });
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  await transport.send(notification, { relatedRequestId: 1 });
  expect(sent).toEqual([notification]);
  expect(finish).toHaveBeenCalledOnce();
});

test('does not send requests to the client', async () => {
  const { transport } = openTransport();
  transport.deliver(request);
  await expect(transport.send({ jsonrpc: '2.0', id: 0, method: 'roots/list' })).rejects.toThrow('2026-07-28');
});
