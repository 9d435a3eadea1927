import type { Readable, Writable } from 'node:stream';
import type { RpcId } from '../../http/exchange/json-rpc.ts';
import { LineReader, longestMessage } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';
import { OwnQuestions } from './own-questions.ts';
import { hasTwoMeanings } from './two-meanings.ts';
import { errorReply, frameOf, readFrame, type WireFrame } from './wire-frame.ts';

export interface ClientListener {
  /** A message that answers no question of the gateway. */
  message(frame: WireFrame): void;
  /** The client reads too slowly, and has caught up. */
  full(): void;
  drained(): void;
  /** The client sends nothing more. */
  end(): void;
  /** The client reads nothing more. */
  gone(): void;
  /** A sentence for the person who reads stderr. */
  tell(sentence: string): void;
}

export interface ClientStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** The client of one connection. It gets every answer, also to lines that are no messages. */
export class ClientLink {
  readonly #listener: ClientListener;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #own = new OwnQuestions();
  readonly #batches = new Map<RpcId, OpenBatch>();
  #toldOfLength = false;

  constructor({ input, output }: ClientStreams, listener: ClientListener) {
    this.#listener = listener;
    this.#writer = new LineWriter(output, {
      full: () => listener.full(),
      drained: () => listener.drained(),
      failed: () => listener.gone(),
    });
    this.#reader = new LineReader(input, {
      line: (bytes) => this.#take(bytes),
      tooLong: ({ requestId }) => this.#refuseLength(requestId),
      end: () => listener.end(),
    });
  }

  /** Passes a message of the server on, by default as it came. */
  pass(frame: WireFrame, bytes: Buffer = frame.bytes): void {
    const batch =
      frame.method === undefined && frame.id !== undefined ? this.#batches.get(frame.id) : undefined;
    if (batch === undefined || frame.id === undefined) return this.#writer.write(bytes);
    this.#batches.delete(frame.id);
    batch.answers.push(bytes.toString('utf8').trimEnd());
    if (batch.answers.length === batch.wanted) this.#writer.write(`[${batch.answers.join(',')}]\n`);
  }

  send(message: object): void {
    this.pass(frameOf(message));
  }

  /** Asks a question of the gateway; the answer may never come. */
  ask(method: string, params?: unknown): Promise<unknown> {
    return this.#own.ask(method, params, (message) => this.send(message));
  }

  pause(): void {
    this.#reader.pause();
  }

  resume(): void {
    this.#reader.resume();
  }

  close(): void {
    this.#reader.close();
    this.#own.close('the client has disconnected');
  }

  #take(bytes: Buffer): void {
    const frame = readFrame(bytes);
    if (frame === undefined) this.#refuse(bytes.toString('utf8').trim());
    else if (hasTwoMeanings(frame)) this.#refuseFrame(frame, 'it can be read in two ways');
    else if (isWithoutId(frame)) this.#refuseFrame(frame, 'it has no id that is a text or a number');
    else if (frame.method !== undefined || !this.#own.take(frame)) this.#listener.message(frame);
  }

  /** Answers a line that is no message: a client that meant one would wait for ever. */
  #refuse(line: string): void {
    if (line === '') return;
    if (line.startsWith('[')) return this.#split(line);
    if (/^content-length:/i.test(line)) return this.#tellOfLength();
    this.send(errorReply(null, -32_700, 'Parse error: the line is no JSON-RPC message'));
  }

  /** Never passed on: the server might read another request in it than the gateway. */
  #refuseFrame({ id }: WireFrame, reason: string): void {
    this.send(errorReply(id ?? null, -32_600, `Invalid request: ${reason}`));
  }

  #tellOfLength(): void {
    if (this.#toldOfLength) return;
    this.#toldOfLength = true;
    this.#listener.tell('the client sends Content-Length headers; on stdio each message is one line');
  }

  #refuseLength(id: RpcId | undefined): void {
    if (id === undefined)
      this.#listener.tell(`a message of the client is longer than ${longestMessage} bytes`);
    else this.send(errorReply(id, -32_600, `The request is longer than ${longestMessage} bytes`));
  }

  /** Takes the messages of a batch, as in 2025-03-26, one by one; its answers leave together. */
  #split(line: string): void {
    const frames = framesIn(line);
    if (frames === undefined || frames.some(({ method }) => method === 'initialize'))
      return this.send(errorReply(null, -32_600, 'Invalid batch'));
    const ids = frames.flatMap(({ id, method }) => (method === undefined || id === undefined ? [] : [id]));
    const batch: OpenBatch = { wanted: ids.length, answers: [] };
    for (const id of ids) this.#batches.set(id, batch);
    for (const frame of frames) this.#take(frame.bytes);
  }
}

/** Whether a request has no id, or one that is none. No rule would judge it, and yet a server may act on it. */
function isWithoutId({ id, method }: WireFrame): boolean {
  return id === undefined && method !== undefined && !method.startsWith('notifications/');
}

interface OpenBatch {
  readonly wanted: number;
  readonly answers: string[];
}

/** The messages of a batch; `undefined` if there are none, or if one of them is no message. */
export function framesIn(line: string): readonly WireFrame[] | undefined {
  const messages = parseArray(line);
  const frames = messages.map((message) => frameOf(Object(message) as object));
  return frames.length === 0 || frames.some(({ fields }) => fields.size === 0) ? undefined : frames;
}

function parseArray(line: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
