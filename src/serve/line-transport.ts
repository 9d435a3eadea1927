import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isFields } from '../base/fields.ts';
import { type RpcId } from '../http/exchange/json-rpc.ts';

/** Bytes of the longest message. A longer one is refused, and reading continues after it. */
const longest = 10 * 1024 * 1024;

/** A message exceeded the limit. */
export class MessageTooLong extends Error {}

/**
 * Exchanges one message per line over a pair of streams. Unlike the SDK's transport it leaves validation to the
 * server, which validates anyway, and it writes answers that are ready together in one write. Messages wait until
 * `start`, so that the first one can be inspected to choose a server.
 */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  /** Resolves when either stream has ended. */
  readonly closed: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
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
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('The connection has ended'));
    this.#lines.push(`${JSON.stringify(message)}\n`);
    // Runs after everything that is ready has been sent, and before anything else is read.
    this.#written ??= new Promise((resolve, reject) => {
      process.nextTick(() => this.#write((error) => (error ? reject(error) : resolve())));
    });
    return this.#written;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#write(() => undefined);
    this.#isClosed = true;
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
      if (this.#tooLong === undefined) this.#take(this.#lineUpTo(chunk, start, end));
      else this.#refuse(this.#tooLong, chunk.subarray(start, end));
      start = end + 1;
    }
    if (start === chunk.length) return;
    if (this.#tooLong !== undefined) return this.#tooLong.push(chunk.subarray(start));
    this.#rest.push(chunk.subarray(start));
    this.#restLength += chunk.length - start;
    if (this.#restLength > longest) this.#giveUp();
  };

  /** Drops a line that is too long, except for the facts needed to answer it. */
  #giveUp(): void {
    this.onerror?.(new MessageTooLong(`A message is longer than ${longest} bytes, and was not taken`));
    this.#tooLong = new SalvagedMessage();
    for (const chunk of this.#rest) this.#tooLong.push(chunk);
    this.#rest = [];
    this.#restLength = 0;
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
    const message = parse(line);
    if (message === undefined) this.onerror?.(new Error('A line is no message'));
    else if (this.#waiting === undefined) this.#deliver(message);
    else {
      this.#waiting.push(message);
      this.#arrived?.();
    }
  }

  #deliver(message: JSONRPCMessage): void {
    if (!this.#isClosed) this.onmessage?.(message);
  }

  readonly #end = (): void => void this.close();

  readonly #fail = (error: Error): void => {
    if (this.#isClosed) return;
    this.onerror?.(error);
    void this.close();
  };
}

/** Parses a message as far as its outside; the server rejects invalid content. */
function parse(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) && value['jsonrpc'] === '2.0' ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes of a key or an id that are examined. */
const longestSalvaged = 256;

const [quotes, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/**
 * Extracts the id of a message that is too long to keep, and whether it expects an answer. It takes bytes as they
 * come and stores almost none of them.
 */
export class SalvagedMessage {
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** The bytes between two separators at the top level. */
  #piece: number[] = [];
  #key = '';
  readonly #fields = new Map<string, string>();

  /** The id of a request; `undefined` for a message that expects no answer. */
  get requestId(): RpcId | undefined {
    const id = this.#fields.has('method') ? this.#fields.get('id') : undefined;
    const value: unknown = id === undefined ? undefined : parseSalvaged(id);
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  }

  push(chunk: Uint8Array): void {
    for (const byte of chunk) this.#take(byte);
  }

  #take(byte: number): void {
    if (this.#inText) {
      this.#keep(byte);
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quotes) this.#inText = false;
    } else if (this.#depth === 1 && (byte === colon || byte === comma)) this.#separate(byte);
    else if (opening.has(byte)) this.#depth += 1;
    else if (closing.has(byte)) {
      if (this.#depth === 1) this.#separate(comma);
      this.#depth -= 1;
    } else {
      this.#inText = byte === quotes;
      this.#keep(byte);
    }
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#piece.length < longestSalvaged) this.#piece.push(byte);
  }

  #separate(byte: number | undefined): void {
    const piece = Buffer.from(this.#piece).toString('utf8');
    this.#piece = [];
    if (byte === colon) this.#key = String(parseSalvaged(piece));
    else if (this.#key === 'id' || this.#key === 'method') this.#fields.set(this.#key, piece);
  }
}

function parseSalvaged(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
