import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEndpoint, type TestEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { send } from '../../../test/support/http/raw.ts';
import type { Fields } from '../../base/fields.ts';
import { type KitServer, ProtocolFault, type ServerFacts } from './kit-server.ts';
import { ModernServer } from './modern-server.ts';
import { createSdkServer } from './sdk-server.ts';

const identity: ServerFacts = {
  info: { name: 'ready', version: '1.2.3' },
  instructions: 'Read first.',
  capabilities: { tools: { listChanged: false }, resources: {}, prompts: {} },
  verifyState: (text) => {
    if (text !== 'ours') throw new Error('not ours');
  },
};

type Seen = Readonly<Record<'_meta' | 'envelope' | 'inputResponses' | 'droppedInputResponseKeys', unknown>>;

/** Answers with what it was given, so that both servers must give their handlers the same. */
function answerWithContext({ params }: { readonly params?: unknown }, context: object): Fields {
  const { mcpReq } = context as { readonly mcpReq: Seen };
  const { _meta: meta, envelope, inputResponses, droppedInputResponseKeys } = mcpReq;
  const seen = { params, meta, envelope, inputResponses, droppedInputResponseKeys };
  return { content: [], structuredContent: seen };
}

function handle(server: KitServer): KitServer {
  server.setRequestHandler('tools/call', async (request, context) => {
    const { name } = request.params as { readonly name: string };
    if (name === 'fails') throw new Error('it broke');
    if (name === 'refuses') throw new ProtocolFault(-32_602, 'no such file', { path: 'x' });
    if (name === 'asks')
      return { resultType: 'input_required', inputRequests: { roots: { method: 'roots/list' } } };
    if (name === 'reports') {
      const { mcpReq } = context as unknown as { mcpReq: { notify(notification: object): Promise<void> } };
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 7, progress: 1 } });
    }
    return answerWithContext(request, context);
  });
  server.setRequestHandler('tools/list', () => ({ tools: [] }));
  server.setRequestHandler('prompts/list', () => ({ prompts: [], _meta: { mine: 1 } }));
  server.setRequestHandler('resources/read', () => {
    throw new ProtocolFault(-32_602, 'no such resource');
  });
  return server;
}

const makes = {
  own: () => handle(new ModernServer(identity)),
  sdk: () => handle(createSdkServer(identity)),
} as const;
const endpoints = new Map<string, TestEndpoint>();

beforeAll(async () => {
  for (const [name, createServer] of Object.entries(makes))
    endpoints.set(name, await openEndpoint({ createServer }));
});

afterAll(async () => {
  for (const endpoint of endpoints.values()) await endpoint[Symbol.asyncDispose]();
});

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { roots: {} },
};

const call = (name: string, more: object = {}, meta: object = {}): [string, object] => [
  'tools/call',
  { name, arguments: { path: 'a' }, ...more, _meta: { ...envelope, ...meta } },
];

async function post(name: keyof typeof makes, [method, params]: [string, object]): Promise<unknown> {
  const endpoint = endpoints.get(name);
  if (endpoint === undefined) throw new Error('The endpoint is not open');
  const { name: tool, uri = tool } = params as { readonly name?: string; readonly uri?: string };
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(uri !== undefined && { 'mcp-name': uri }),
  };
  const response = await send(endpoint, { headers, body: { jsonrpc: '2.0', id: 1, method, params } });
  return { status: response.status, type: response.headers['content-type'], body: bodyOf(response.text) };
}

/** The messages of a response, whether it is one or a stream of them. */
function bodyOf(text: string): unknown {
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  return events.length === 0 ? JSON.parse(text) : events.map((line) => JSON.parse(line.slice(6)) as unknown);
}

test.each<[string, [string, object]]>([
  ['a discovery', ['server/discover', { _meta: envelope }]],
  ['a list', ['tools/list', { _meta: envelope }]],
  ['a list with metadata of its own', ['prompts/list', { _meta: envelope }]],
  ['a call', call('reads')],
  ['a call with more metadata', call('reads', {}, { progressToken: 7, 'io.example/key': [1] })],
  ['a call with a level of logging', call('reads', {}, { 'io.modelcontextprotocol/logLevel': 'debug' })],
  ['a call that reports its progress', call('reports', {}, { progressToken: 7 })],
  ['a call that asks', call('asks')],
  [
    'a call with answers, one of them wrapped',
    call('reads', { inputResponses: { roots: { roots: [] }, odd: { result: {} }, text: 'x' } }),
  ],
  ['answers that are no object', call('reads', { inputResponses: 5 })],
  ['a state of ours', call('reads', { requestState: 'ours' })],
  ['a state that is not ours', call('reads', { requestState: 'theirs' })],
  ['a state that is no text', call('reads', { requestState: 5 })],
  ['a state on a list', ['tools/list', { requestState: 'theirs', _meta: envelope }]],
  ['a handler that fails', call('fails')],
  ['a handler that refuses', call('refuses')],
  ['a resource that is not there', ['resources/read', { uri: 'x:y', _meta: envelope }]],
  ['a method that is not handled', ['resources/list', { _meta: envelope }]],
  ['a method of earlier revisions', ['ping', { _meta: envelope }]],
  ['an initialize', ['initialize', { _meta: envelope }]],
  ['a method that does not exist', ['no/such', { _meta: envelope }]],
])('answers %s as the SDK does', async (_case, request) => {
  expect(await post('own', request)).toEqual(await post('sdk', request));
});

test('a call ends when its connection does', async () => {
  const server = new ModernServer(identity);
  const signals: AbortSignal[] = [];
  server.setRequestHandler('tools/call', async (_request, { mcpReq }) => {
    if (mcpReq !== undefined) signals.push(mcpReq.signal);
    await new Promise((resolve) => mcpReq?.signal.addEventListener('abort', resolve));
  });
  const sent: unknown[] = [];
  const wire: WireStub = {
    start: async () => undefined,
    send: async (message) => void sent.push(message),
    close: async () => wire.onclose?.(),
  };
  await server.connect(wire);
  wire.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} });
  await server.close();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(sent).toEqual([]);
  await server.connect(wire);
  expect(server.transport).toBe(wire);
  await expect(server.connect(wire)).rejects.toThrow('connected already');
  await expect(server.request()).rejects.toThrow('no requests to a client');
});

interface WireStub {
  onmessage?: (message: unknown, extra?: unknown) => void;
  onclose?: () => void;
  readonly start: () => Promise<void>;
  readonly send: (message: object) => Promise<void>;
  readonly close: () => Promise<void>;
}
