import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { benchToken } from './http-contestants.ts';

export type Era = '2025' | '2026';

/** One client: a connection that sends the next call when it has the answer to the last one. */
export interface LoadClient {
  call(): Promise<void>;
  close(): void;
}

/** One call of a tool, and a text that its answer contains. */
export interface LoadCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: string;
}

const echo: LoadCall = { tool: 'echo', input: { a: 'pong' }, answer: 'pong' };

/** How long clients are kept at it. */
const milliseconds = 500;

/** What a load of calls took, in nanoseconds: all of them, and the slowest but one in a hundred. */
export interface LoadTimes {
  readonly calls: number;
  readonly wall: number;
  readonly p99: number;
}

/** Each client calls again as soon as it has its answer, until the time is over. */
export async function load(clients: readonly LoadClient[]): Promise<LoadTimes> {
  const begun = process.hrtime.bigint();
  const until = performance.now() + milliseconds;
  const times: number[] = [];
  await Promise.all(
    clients.map(async (client) => {
      do {
        const sent = performance.now();
        await client.call();
        times.push(performance.now() - sent);
      } while (performance.now() < until);
    }),
  );
  const wall = Number(process.hrtime.bigint() - begun);
  const p99 = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;
  return { calls: times.length, wall, p99: p99 * 1e6 };
}

/** Connects a client and, where the era has sessions, begins one. Every answer is looked at. */
export async function openLoadClient(port: number, era: Era, call: LoadCall = echo): Promise<LoadClient> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  const exchange = exchanger(socket);
  const head = era === '2025' ? await beginSession(exchange, port) : modernHead(call);
  const bytes = post(port, head, era === '2025' ? legacyCall(call) : modernCall(call));
  // Each request has an id of its own, of the same length: the same one twice is refused.
  let id = firstId;
  return {
    async call() {
      id += 1;
      const text = await exchange(bytes.replace(`"id":${firstId}`, `"id":${id}`));
      if (!text.includes(call.answer)) throw new Error(`Not an answer: ${text.slice(0, 300)}`);
    },
    close: () => socket.destroy(),
  };
}

const firstId = 10_000_000;

function legacyCall({ tool, input }: LoadCall): string {
  const params = { name: tool, arguments: input };
  return JSON.stringify({ jsonrpc: '2.0', id: firstId, method: 'tools/call', params });
}

function modernCall({ tool, input }: LoadCall): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: tool, arguments: input, _meta: meta };
  return JSON.stringify({ jsonrpc: '2.0', id: firstId, method: 'tools/call', params });
}

function modernHead({ tool }: LoadCall): string {
  return `mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: ${tool}\r\n`;
}

type Exchange = (bytes: string) => Promise<string>;

async function beginSession(exchange: Exchange, port: number): Promise<string> {
  const clientInfo = { name: 'bench', version: '1' };
  const start = { protocolVersion: '2025-11-25', clientInfo, capabilities: { roots: {} } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: start });
  let answer = await exchange(post(port, '', body));
  // The shipped command admits a limited number of new sessions per second.
  for (let tries = 0; answer.startsWith('HTTP/1.1 503') && tries < 100; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    answer = await exchange(post(port, '', body));
  }
  const [, session] = /mcp-session-id: (\S+)/i.exec(answer) ?? [];
  const head = `mcp-session-id: ${session}\r\nmcp-protocol-version: 2025-11-25\r\n`;
  await exchange(post(port, head, '{"jsonrpc":"2.0","method":"notifications/initialized"}'));
  return head;
}

function post(port: number, head: string, body: string): string {
  return (
    `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${benchToken}\r\n` +
    'content-type: application/json\r\naccept: application/json, text/event-stream\r\n' +
    `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** Sends a request and reads its response, whichever way its end is told. */
function exchanger(socket: Socket): Exchange {
  let text = '';
  let settle: (text: string) => void = () => {};
  let fail: (error: Error) => void = () => {};
  socket.on('error', (error) => fail(error)).on('close', () => fail(new Error('The connection is gone')));
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    if (!isWhole(text)) return;
    const whole = text;
    text = '';
    settle(whole);
  });
  return (bytes) => {
    socket.write(bytes);
    return new Promise((resolve, reject) => {
      settle = resolve;
      fail = reject;
    });
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  if (text.startsWith('HTTP/1.1 202')) return true;
  const [, length] = /content-length: (\d+)/i.exec(text.slice(0, end)) ?? [];
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length);
}
