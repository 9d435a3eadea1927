import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { token } from './open-endpoint.ts';

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of `usual` that are left out. */
  readonly without?: readonly string[];
  readonly body?: unknown;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON, or the data of the last event. */
  readonly json: () => {
    readonly [key: string]: unknown;
    readonly error?: { code: number; message: string };
  };
}

interface Address {
  readonly port: number;
}

/** What every client sends. */
const usual: Readonly<Record<string, string>> = {
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

/** One HTTP request as it is, with any header that a browser would not allow. */
export async function send({ port }: Address, asked: RawRequest = {}): Promise<RawResponse> {
  const { method = 'POST', path = '/mcp', headers = {}, without = [], body } = asked;
  const kept = Object.entries({ ...usual, ...headers }).filter(([name]) => !without.includes(name));
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers: Object.fromEntries(kept) });
  outgoing.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = await once(outgoing, 'response');
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += chunk;
  const json = (): ReturnType<RawResponse['json']> =>
    JSON.parse(text.startsWith('{') || text.startsWith('[') ? text : (text.split('data: ').at(-1) ?? ''));
  return { status: response.statusCode, headers: response.headers, text, json };
}

export const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    clientInfo: { name: 'raw', version: '1' },
    capabilities: { roots: {} },
  },
} as const;

export function call(id: number | string, name: string, args: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** Begins a session and returns the headers that name it. */
export async function beginSession(
  endpoint: Address,
  { headers = {}, version = '2025-11-25' }: { headers?: Record<string, string>; version?: string } = {},
): Promise<Record<string, string>> {
  const params = { ...initialize.params, protocolVersion: version };
  const response = await send(endpoint, { headers, body: { ...initialize, params } });
  if (response.status !== 200) throw new Error(`initialize was answered with ${response.status}`);
  return { ...headers, 'mcp-session-id': String(response.headers['mcp-session-id']) };
}

/** A connection on which anything may be written. */
export async function openSocket({ port }: Address): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** The head of a POST, for a body that is written by hand. */
export function head({ port }: Address, headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...usual, ...headers });
  return `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** Everything that comes until the other side closes. */
export async function readAll(socket: Socket): Promise<string> {
  socket.setEncoding('utf8');
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

/** The events of a stream, one after the other. */
export async function* readEvents(
  socket: Socket,
  named: (id: string) => void = () => {},
): AsyncGenerator<Record<string, unknown>> {
  socket.setEncoding('utf8');
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    for (;;) {
      const found = /data: (.*)\n\n/.exec(text);
      if (found === null) break;
      const [, id] = /^id: (\S+)$/m.exec(text.slice(0, found.index)) ?? [];
      if (id !== undefined) named(id);
      text = text.slice(found.index + found[0].length);
      // An event without data is the one that names the stream.
      if (found[1] !== '') yield JSON.parse(found[1] ?? '');
    }
  }
}

export interface Asked {
  readonly id: string;
  /** The event that names the stream. */
  readonly event: string;
  readonly rest: AsyncGenerator<Record<string, unknown>>;
  readonly socket: Awaited<ReturnType<typeof openSocket>>;
}

/** Calls a tool that asks for roots, up to the question. */
export async function askForRoots(
  endpoint: { readonly port: number },
  session: Record<string, string>,
  tool = 'roots',
): Promise<Asked> {
  const socket = await openSocket(endpoint);
  const body = JSON.stringify(call(1, tool));
  socket.write(head(endpoint, { ...session, 'content-length': body.length }) + body);
  let event = '';
  const rest = readEvents(socket, (id) => (event = id));
  const { value } = await rest.next();
  if (value?.['method'] !== 'roots/list') throw new Error(`Not a question: ${JSON.stringify(value)}`);
  return { id: String(value['id']), event, rest, socket };
}

/** Opens the stream for notifications of a session, and waits until it is open. */
export async function openStream(
  endpoint: Address,
  headers: Record<string, string>,
): Promise<AsyncGenerator<Record<string, unknown>>> {
  const socket = await openSocket(endpoint);
  socket.write(head(endpoint, { ...headers, connection: 'close' }).replace('POST', 'GET'));
  await once(socket, 'readable');
  return readEvents(socket);
}
