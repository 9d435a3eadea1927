import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { benchToken } from './http-contestants.ts';

/** A client with a connection to each of two nodes, in one session. */
export interface RootsClient {
  /** Calls the tool at the first node and answers its question at the first or the second; milliseconds. */
  fetch(answerAt: 'same' | 'other'): Promise<number>;
  close(): void;
}

export async function openRootsClient(
  ports: readonly [number, number],
  session: string,
): Promise<RootsClient> {
  const [calling, same, other] = await Promise.all([open(ports[0]), open(ports[0]), open(ports[1])]);
  let id = 0;
  return {
    async fetch(answerAt) {
      id += 1;
      const params = { name: 'roots', arguments: {} };
      const begun = performance.now();
      calling.socket.write(post(calling.port, session, { jsonrpc: '2.0', id, method: 'tools/call', params }));
      const [, question = ''] = await calling.until(
        /"method":"roots\/list".*?"id":"([^"]+)"|"id":"([^"]+)","method":"roots/,
      );
      const at = answerAt === 'same' ? same : other;
      const roots = [{ uri: 'file:///srv/app' }];
      at.socket.write(post(at.port, session, { jsonrpc: '2.0', id: question, result: { roots } }));
      await Promise.all([calling.until(/pong[^]*0\r\n\r\n/), at.until(/ 202 /)]);
      return performance.now() - begun;
    },
    close() {
      for (const { socket } of [calling, same, other]) socket.destroy();
    },
  };
}

interface Line {
  readonly port: number;
  readonly socket: Socket;
  /** What was found, and everything up to it is forgotten. */
  until(pattern: RegExp): Promise<readonly string[]>;
}

async function open(port: number): Promise<Line> {
  const socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('utf8');
  await once(socket, 'connect');
  let text = '';
  let look = (): void => {};
  let fail = (): void => {};
  socket.once('close', () => fail());
  socket.on('data', (chunk: string) => {
    text += chunk;
    look();
  });
  return {
    port,
    socket,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        fail = () => reject(new Error(`The connection is gone: ${text.slice(0, 300)}`));
        look = () => {
          const found = pattern.exec(text);
          if (found === null) return;
          text = text.slice(found.index + found[0].length);
          look = () => {};
          resolve(found.map((part) => part ?? '').filter((part, index) => index === 0 || part !== ''));
        };
        look();
      }),
  };
}

function post(port: number, session: string, message: object): string {
  const body = JSON.stringify(message);
  return (
    `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${benchToken}\r\n` +
    'content-type: application/json\r\naccept: application/json, text/event-stream\r\n' +
    `mcp-session-id: ${session}\r\nmcp-protocol-version: 2025-11-25\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}
