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

/** The client's end of a wire, written by hand: it does exactly what a test says. */
export interface RawPeer {
  /** By method. */
  readonly answers: Map<string, Answer>;
  /** How often the server asked. */
  asked(method?: string): number;
  /** The question that is asked next, or was asked and nobody looked. */
  question(method?: string): Promise<WireMessage>;
  /** The whole response, whatever it is. */
  request(method: string, params?: object): Promise<WireMessage>;
  notify(method: string, params?: object): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
}

export async function openRawPeer(wire: Wire): Promise<RawPeer> {
  const answers = new Map<string, Answer>();
  const counts = new Map<string, number>();
  const waiting = new Map<unknown, (message: WireMessage) => void>();
  const questions: WireMessage[] = [];
  const watchers = new Set<() => void>();
  let lastId = 0;
  wire.onmessage = (message) => {
    const { id, method } = message;
    if (typeof method !== 'string') {
      waiting.get(id)?.(message);
      return;
    }
    if (id === undefined) return;
    counts.set(method, (counts.get(method) ?? 0) + 1);
    questions.push(message);
    for (const watcher of watchers) watcher();
    void reply(wire, message, answers.get(method), counts.get(method) ?? 0);
  };
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
    async request(method, params = {}) {
      lastId += 1;
      const id = lastId;
      const answered = new Promise<WireMessage>((resolve) => waiting.set(id, resolve));
      await wire.send({ jsonrpc: '2.0', id, method, params });
      const message = await answered;
      waiting.delete(id);
      return message;
    },
    notify: (method, params) => wire.send({ jsonrpc: '2.0', method, ...(params && { params }) }),
    send: (message) => wire.send(message),
    close: () => wire.close(),
  };
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
