import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isMessage, type RpcId } from '../../http/exchange/json-rpc.ts';
import { fieldsOf } from '../../base/fields.ts';
import { mendEnvelope, mendInitialize } from '../../http/exchange/mend-initialize.ts';
import { OwnRequests } from './own-requests.ts';
import { SalvagedMessage } from '../../base/salvaged-message.ts';

/** Bytes of the longest message. A longer one is refused, and reading continues after it. */
const longest = 10 * 1024 * 1024;

/** A message exceeded the limit. */
export class MessageTooLong extends Error {}

/** A step of a client that a log should show. */
export type LineStep =
  /** The parameters exactly as they came. */
  | { readonly kind: 'initialize'; readonly params: unknown }
  | {
      readonly kind: 'initialize-repaired' | 'request-repaired';
      readonly repairs: readonly string[];
    }
  /** A response that no request waits for. */
  | { readonly kind: 'stray-response'; readonly message: unknown };

/**
 * Exchanges one message per line over a pair of streams. Unlike the SDK's transport it leaves validation to the
 * server, which validates anyway, and it writes answers that are ready together in one write. Messages wait until
 * `start`, so that the first one can be inspected to choose a server. When the input ends, as in a pipe, every
 * request that came is answered before the transport closes; our own requests fail, because no answer can come.
 */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  /** Resolves when the output has failed, or the input has ended and every request is answered. */
  readonly closed: Promise<void>;
  /** Told of steps that help to understand a client. */
  onstep?: (step: LineStep) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #requests = new OwnRequests();
  /** Messages that arrived before `start`. */
  #waiting: JSONRPCMessage[] | undefined = [];
  /** The beginning of an unfinished line. */
  #rest: Buffer[] = [];
  #restLength = 0;
  /** Facts about a line that is too long, until it ends. */
  #tooLong: SalvagedMessage | undefined;
  /** Lines to write together. */
  #lines: string[] = [];
  #written: Promise<void> | undefined;
  #isClosed = false;
  readonly #pending = new PendingRequests();
  #settle: () => void = () => undefined;
  #arrived: (() => void) | undefined;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    input.on('data', this.#read).on('error', this.#fail);
    input.on('end', this.#end).on('close', this.#end);
    output.on('error', this.#fail);
    if (input.readableEnded || input.destroyed) setImmediate(this.#end);
  }

  /** Returns the first message without consuming it; `undefined` if the stream ends first. */
  async first(): Promise<JSONRPCMessage | undefined> {
    if (this.#waiting?.length === 0 && !this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    return this.#waiting?.[0];
  }

  async start(): Promise<void> {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const message of waiting) this.#deliver(message);
    if (this.#pending.hasEnded) this.#failOwn();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('The connection has ended'));
    this.#pending.noteSent(message);
    const sent = 'method' in message ? this.#requests.outgoing(message) : message;
    this.#lines.push(`${JSON.stringify(sent)}\n`);
    // Runs after everything that is ready has been sent, and before anything else is read.
    this.#written ??= new Promise((resolve, reject) => {
      process.nextTick(() => {
        this.#write((error) => (error ? reject(error) : resolve()));
        this.#goOn();
      });
    });
    return this.#written;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#write(() => undefined);
    this.#isClosed = true;
    this.#pending.close();
    this.#input.off('data', this.#read).off('end', this.#end).off('close', this.#end).pause();
    this.#rest = [];
    this.#arrived?.();
    this.#settle();
    this.onclose?.();
  }

  #write(done: (error?: Error | null) => void): void {
    const [first = '', ...others] = this.#lines;
    const text = others.length === 0 ? first : first.concat(...others);
    this.#lines = [];
    this.#written = undefined;
    if (text === '' || this.#isClosed) done();
    else this.#output.write(text, done);
  }

  readonly #read = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const tooLong = this.#tooLong ?? this.#giveUpBeyond(end - start);
      if (tooLong === undefined) this.#take(this.#lineUpTo(chunk, start, end));
      else this.#refuse(tooLong, chunk.subarray(start, end));
      start = end + 1;
    }
    if (start === chunk.length) return;
    const tooLong = this.#tooLong ?? this.#giveUpBeyond(chunk.length - start);
    if (tooLong !== undefined) return tooLong.push(chunk.subarray(start));
    this.#rest.push(chunk.subarray(start));
    this.#restLength += chunk.length - start;
  };

  /** Drops a line that these bytes make too long, except for the facts needed to answer it. */
  #giveUpBeyond(more: number): SalvagedMessage | undefined {
    if (this.#restLength + more <= longest) return undefined;
    this.onerror?.(new MessageTooLong(`A message is longer than ${longest} bytes, and was not taken`));
    this.#tooLong = new SalvagedMessage();
    for (const chunk of this.#rest) this.#tooLong.push(chunk);
    this.#rest = [];
    this.#restLength = 0;
    return this.#tooLong;
  }

  /** Answers a request whose line was too long, once the line ends. */
  #refuse(message: SalvagedMessage, end: Buffer): void {
    message.push(end);
    this.#tooLong = undefined;
    const id = message.requestId;
    if (id === undefined || this.#isClosed) return;
    const error = { code: -32_600, message: `The request is longer than ${longest} bytes` };
    void this.send({ jsonrpc: '2.0', id, error }).catch(() => undefined);
  }

  #lineUpTo(chunk: Buffer, start: number, end: number): string {
    if (this.#rest.length === 0) return chunk.toString('utf8', start, end);
    const line = Buffer.concat([...this.#rest, chunk.subarray(start, end)]).toString('utf8');
    this.#rest = [];
    this.#restLength = 0;
    return line;
  }

  #take(line: string): void {
    if (this.#isClosed || line.trim() === '') return;
    const parsed = parse(line);
    if (!isMessage(parsed)) return this.#refuseLine(parsed);
    const message = this.#mend(parsed as JSONRPCMessage);
    if (message !== undefined) this.#pending.noteArrived(message);
    if (message === undefined) this.onstep?.({ kind: 'stray-response', message: parsed });
    else if (this.#waiting === undefined) this.#deliver(message);
    else {
      this.#waiting.push(message);
      this.#arrived?.();
    }
  }

  /** Answers a line that is no message, if it is meant as a request: its client would wait for ever. */
  #refuseLine(value: unknown): void {
    this.onerror?.(new Error('A line is no message'));
    const { id, method } = fieldsOf(value);
    if (method === undefined || (typeof id !== 'string' && !Number.isSafeInteger(id))) return;
    const error = {
      code: -32_600,
      message: 'Invalid request: jsonrpc is not "2.0", method is no text, or params no object',
    };
    void this.send({ jsonrpc: '2.0', id: id as RpcId, error }).catch(() => undefined);
  }

  /** Returns the message as the server can read it; `undefined` for a response to no open request. */
  #mend(message: JSONRPCMessage): JSONRPCMessage | undefined {
    if (!('method' in message)) return this.#requests.response(message);
    if (message.method === 'notifications/progress') return this.#requests.incoming(message);
    if (message.method !== 'initialize')
      return message.params?.['_meta'] === undefined ? message : this.#mendRequest(message);
    this.onstep?.({ kind: 'initialize', params: message.params });
    const { params, repairs } = mendInitialize(message.params);
    if (repairs.length === 0) return message;
    this.onstep?.({ kind: 'initialize-repaired', repairs });
    return { ...message, params };
  }

  #mendRequest(request: JSONRPCMessage): JSONRPCMessage {
    const { message, repairs } = mendEnvelope(request);
    if (repairs.length > 0) this.onstep?.({ kind: 'request-repaired', repairs });
    return message;
  }

  #deliver(message: JSONRPCMessage): void {
    if (!this.#isClosed) this.onmessage?.(message);
  }

  readonly #end = (): void => {
    if (this.#pending.hasEnded || this.#isClosed) return;
    // The last line of a pipe may lack its end.
    if (this.#restLength > 0) this.#take(this.#lineUpTo(Buffer.alloc(0), 0, 0));
    this.#pending.end(() => void this.close());
    this.#goOn();
  };

  /** After the input has ended: closes if nothing is left to answer, else lets the server go on. */
  #goOn(): void {
    if (!this.#pending.hasEnded || this.#isClosed) return;
    if (this.#pending.isDone) void this.close();
    else if (this.#waiting === undefined) this.#failOwn();
  }

  #failOwn(): void {
    for (const id of this.#pending.takeAsked())
      this.#deliver({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'The client has hung up' } });
  }

  readonly #fail = (error: Error): void => {
    if (this.#isClosed) return;
    this.onerror?.(error);
    void this.close();
  };
}

/** Which requests wait for an answer, in both directions. */
class PendingRequests {
  /** Ids of the client's requests. */
  readonly #unanswered = new Set<unknown>();
  /** Ids of our own. */
  readonly #asked = new Set<RpcId>();
  /** The process that started this one. When the input ends because it was killed, this one may have another. */
  readonly #parent = process.ppid;
  #watch: NodeJS.Timeout | undefined;
  hasEnded = false;

  get isDone(): boolean {
    return this.#unanswered.size === 0;
  }

  noteArrived(message: JSONRPCMessage): void {
    if (!('method' in message)) this.#asked.delete(message.id as RpcId);
    else if ('id' in message) this.#unanswered.add(message.id);
    // A cancelled request gets no answer.
    else if (message.method === 'notifications/cancelled')
      this.#unanswered.delete(message.params?.['requestId']);
  }

  noteSent(message: JSONRPCMessage): void {
    if (!('method' in message)) this.#unanswered.delete(message.id);
    else if ('id' in message) this.#asked.add(message.id);
  }

  /**
   * The input has ended. A pipe waits for all answers, and so does this, as long as the calls take: a client that no
   * longer wants them sends SIGTERM, as the protocol says, or stops reading, which fails the next write. One whose
   * process has ended is noticed here, because its child then gets another parent.
   */
  end(abandoned: () => void): void {
    this.hasEnded = true;
    const look = (): void => {
      if (process.ppid !== this.#parent) abandoned();
    };
    this.#watch = setInterval(look, 500).unref();
  }

  takeAsked(): readonly RpcId[] {
    const ids = [...this.#asked];
    this.#asked.clear();
    return ids;
  }

  close(): void {
    clearInterval(this.#watch);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
