import { createRawPeer, type PeerReply } from '../../../src/testing/raw-peer.ts';
import type { Wire, WireMessage } from '../../../src/testing/wires.ts';

/** What a client says to a question: a result, a refusal that is thrown, or nothing at all. */
export type Answer = (params: WireMessage, count: number) => unknown;

/** Returned by an answer: the question stays open. */
export const silence: unique symbol = Symbol('silence');

/** Thrown by an answer: a JSON-RPC error. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message = `refused with ${code}`) {
    super(message);
    this.code = code;
  }
}

/** A raw peer that plays a client: it answers by method, counts what it is asked, and shows each question. */
export interface RawClient {
  /** By method. */
  readonly answers: Map<string, Answer>;
  /** How often the server asked. */
  asked(method?: string): number;
  /** The question that is asked next, or was asked and no test has looked at. */
  question(method?: string): Promise<WireMessage>;
  /** `result` or `error` of the response, whichever it has; neither if the connection ends before. */
  request(method: string, params?: object): Promise<WireMessage>;
  notify(method: string, params?: object): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds after which a server that does not answer hangs. */
const bound = 60_000;

export async function openRawClient(wire: Wire): Promise<RawClient> {
  const answers = new Map<string, Answer>();
  const counts = new Map<string, number>();
  const questions: WireMessage[] = [];
  const watchers = new Set<() => void>();
  const asked = (message: WireMessage): void => {
    const method = String(message['method']);
    const count = (counts.get(method) ?? 0) + 1;
    counts.set(method, count);
    questions.push(message);
    for (const watcher of watchers) watcher();
    void reply(wire, message, answers.get(method), count);
  };
  const peer = createRawPeer(wire, { bound, asked });
  await wire.start();
  return {
    answers,
    asked: (method = 'roots/list') => counts.get(method) ?? 0,
    async question(method = 'roots/list') {
      for (;;) {
        const index = questions.findIndex((one) => one['method'] === method);
        const [found] = index < 0 ? [] : questions.splice(index, 1);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => {
          const watcher = (): void => {
            watchers.delete(watcher);
            resolve();
          };
          watchers.add(watcher);
        });
      }
    },
    request: async (method, params = {}) => toMessage(method, await peer.request(method, { ...params })),
    notify: (method, params) => peer.send({ jsonrpc: '2.0', method, ...(params && { params }) }),
    send: (message) => peer.send(message),
    close: () => wire.close(),
  };
}

function toMessage(method: string, reply: PeerReply): WireMessage {
  switch (reply.kind) {
    case 'result':
      return { result: reply.result };
    case 'error':
      return { error: reply.error };
    case 'closed':
      return {};
    case 'silence':
      throw new Error(`The server did not answer ${method}`);
  }
}

async function reply(
  wire: Wire,
  { id, params }: WireMessage,
  answer: Answer | undefined,
  count: number,
): Promise<void> {
  try {
    if (answer === undefined) throw new Refusal(-32601, 'Method not found');
    const result = await answer((params ?? {}) as WireMessage, count);
    if (result === silence) return;
    await wire.send({ jsonrpc: '2.0', id, result });
  } catch (error) {
    const code = error instanceof Refusal ? error.code : -32603;
    await wire
      .send({ jsonrpc: '2.0', id, error: { code, message: String(error) } })
      // It hung up meanwhile.
      .catch(() => undefined);
  }
}
