import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isFields } from '../base/fields.ts';
import { type RpcId } from '../http/exchange/json-rpc.ts';

/** Bytes of the longest message. A longer one is refused, and what comes after it is read again. */
const longest = 10 * 1024 * 1024;

/** Somebody sent more at once than is taken. */
export class MessageTooLong extends Error {}

/**
 * One message per line, on a pair of streams. The SDK has such a transport, too; this one leaves it to the server
 * to look at each message, which it does anyway, and answers that are ready at the same moment leave in one write.
 *
 * Messages wait until `start`, so that somebody can look at the first one and choose a server for it.
 */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  /** Settles when either side is gone. */
  readonly closed: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  /** Came before somebody was there to take them. */
  #waiting: JSONRPCMessage[] | undefined = [];
  /** The beginning of a line whose end is still to come. */
  #rest: Buffer[] = [];
  #restLength = 0;
  /** What can be told about a line that is too long, until it ends. */
  #tooLong: SalvagedMessage | undefined;
  /** Lines to be written together. */
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

  /** The first message, which is delivered all the same; none if the end comes before it. */
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
    if (this.#isClosed) return Promise.reject(new Error('Nobody is there any more'));
    this.#lines.push(`${JSON.stringify(message)}\n`);
    // Runs when everything that is ready now has been sent, and before anything else is read.
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

  /** Keeps no more of a line than is needed to tell who sent it. */
  #giveUp(): void {
    this.onerror?.(new MessageTooLong(`A message is longer than ${longest} bytes, and was not taken`));
    this.#tooLong = new SalvagedMessage();
    for (const chunk of this.#rest) this.#tooLong.push(chunk);
    this.#rest = [];
    this.#restLength = 0;
  }

  /** Such a line has ended: whoever waits for an answer gets one. */
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

/** A message as far as can be told from outside; the server refuses what is none inside. */
function parse(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) && value['jsonrpc'] === '2.0' ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes of a key or of an id that are looked at. */
const longestSalvaged = 256;

const [quotes, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/**
 * Reads of a message that is too long to be kept who has to be told so: the id, and whether it asks for an answer
 * at all. Takes the bytes as they come, and keeps next to nothing of them.
 */
export class SalvagedMessage {
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** What stands between two separators at the top. */
  #piece: number[] = [];
  #key = '';
  readonly #fields = new Map<string, string>();

  /** The id of a request; `undefined` for everything that nobody waits for. */
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
