import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { token } from '../http/open-endpoint.ts';
import type { Target } from './balancer.ts';

type Message = Readonly<Record<string, unknown>> & { readonly id?: unknown; readonly method?: string };

/** A call as it is on the wire: everything that comes, in its order, and the end. */
export interface OpenCall {
  readonly status: number;
  readonly messages: readonly Message[];
  /** The event that names the stream. */
  readonly event: () => string;
  /** Waits for the message with that number, counted from 0. */
  message(number: number): Promise<Message>;
  readonly closed: Promise<unknown>;
  destroy(): void;
}

/** Sends a request and reads its answer as far as it comes. */
export async function openCall(
  { port }: Target,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<OpenCall> {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/mcp',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
  });
  outgoing.on('error', () => {});
  outgoing.end(JSON.stringify(body));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const messages: Message[] = [];
  let event = '';
  let wake: () => void = () => {};
  const closed = new Promise<void>((resolve) => void response.once('close', resolve));
  response.on('error', () => {});
  void readInto(response, {
    message: (message) => {
      messages.push(message);
      wake();
    },
    named: (id) => (event = id),
  }).catch(() => {});
  return {
    status: response.statusCode ?? 0,
    messages,
    event: () => event,
    async message(number) {
      for (;;) {
        const found = messages[number];
        if (found !== undefined) return found;
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), gone(closed)]);
      }
    },
    closed,
    destroy: () => outgoing.destroy(),
  };
}

async function gone(closed: Promise<unknown>): Promise<never> {
  await closed;
  throw new Error('The answer ended before');
}

interface Reading {
  readonly message: (message: Message) => void;
  readonly named: (id: string) => void;
}

async function readInto(response: IncomingMessage, { message, named }: Reading): Promise<void> {
  const streams = String(response.headers['content-type']).includes('event-stream');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    if (!streams) continue;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, id] = /^id: (\S+)$/m.exec(event) ?? [];
      const [, data = ''] = /^data: (.+)$/m.exec(event) ?? [];
      if (id !== undefined) named(id);
      if (data !== '') message(JSON.parse(data) as Message);
    }
  }
  if (!streams && text !== '') message(JSON.parse(text) as Message);
}
