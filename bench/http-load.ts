import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { benchToken } from './http-contestants.ts';

export type Era = '2025' | '2026';

/** One client: a connection that sends the next call when it has the answer to the last one. */
export interface LoadClient {
  call(): Promise<void>;
  close(): void;
}

const answer = 'pong';

/** How long clients are kept at it. */
const milliseconds = 500;

/** Each client calls again as soon as it has its answer, until the time is over. Wall time in nanoseconds. */
export async function load(clients: readonly LoadClient[]): Promise<{ calls: number; wall: number }> {
  const begun = process.hrtime.bigint();
  const until = performance.now() + milliseconds;
  let calls = 0;
  await Promise.all(
    clients.map(async (client) => {
      do {
        await client.call();
        calls += 1;
      } while (performance.now() < until);
    }),
  );
  return { calls, wall: Number(process.hrtime.bigint() - begun) };
}

/** Connects a client and, where the era has sessions, begins one. Every answer is looked at. */
export async function openLoadClient(port: number, era: Era): Promise<LoadClient> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  const exchange = exchanger(socket);
  const head = era === '2025' ? await beginSession(exchange, port) : modernHead;
  const bytes = post(port, head, era === '2025' ? legacyCall : modernCall);
  // Each request has an id of its own, of the same length: the same one twice is refused.
  let id = firstId;
  return {
    async call() {
      id += 1;
      const text = await exchange(bytes.replace(`"id":${firstId}`, `"id":${id}`));
      if (!text.includes(answer)) throw new Error(`Not an answer: ${text.slice(0, 300)}`);
    },
    close: () => socket.destroy(),
  };
}

const params = { name: 'echo', arguments: { a: answer } };
const firstId = 10_000_000;
const legacyCall = JSON.stringify({ jsonrpc: '2.0', id: firstId, method: 'tools/call', params });
const modernCall = JSON.stringify({
  jsonrpc: '2.0',
  id: firstId,
  method: 'tools/call',
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});
const modernHead = 'mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: echo\r\n';

type Exchange = (bytes: string) => Promise<string>;

async function beginSession(exchange: Exchange, port: number): Promise<string> {
  const clientInfo = { name: 'bench', version: '1' };
  const start = { protocolVersion: '2025-11-25', clientInfo, capabilities: { roots: {} } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: start });
  const [, session] = /mcp-session-id: (\S+)/i.exec(await exchange(post(port, '', body))) ?? [];
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
