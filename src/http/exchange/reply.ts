import type { ServerResponse } from 'node:http';
import type { RpcMessage } from './json-rpc.ts';
import type { AcceptedForms } from './read-body.ts';
import { plainHeaders } from './refusals.ts';

export interface ReplyLimits {
  readonly unread: number;
  readonly stallMs: number;
  readonly keepAliveMs: number;
  readonly streamAfterMs: number;
  readonly callMs: number;
}

export interface ReplyEvents {
  /** A notification stream or a subscription, which does not count as a call. */
  readonly endless?: boolean;
  /** The client read too slowly or not at all; its connection was destroyed. */
  slow?(): void;
  /** The call took too long. */
  late?(): void;
  /** Returns the id of the stream, for a client that may lose it; called when the stream begins. */
  prime?(): string;
  /** The endpoint is closing: the last chance to answer. */
  cut?(): void;
  /** Called after each keep-alive interval of silence, to keep related state alive too. */
  tick?(): void;
}

/**
 * The response to one HTTP request: JSON, or an event stream if a message has to be sent before the result. It has no
 * timer of its own; the endpoint calls `look` regularly.
 */
export class Reply {
  readonly #response: ServerResponse;
  readonly #accepts: AcceptedForms;
  readonly #limits: ReplyLimits;
  readonly #events: ReplyEvents;
  readonly #writer: BoundedWriter;
  readonly #begun = performance.now();
  #touched = this.#begun;
  #streaming = false;

  constructor(
    response: ServerResponse,
    accepts: AcceptedForms,
    limits: ReplyLimits,
    events: ReplyEvents = {},
  ) {
    this.#response = response;
    this.#accepts = accepts;
    this.#limits = limits;
    this.#events = events;
    this.#writer = new BoundedWriter(response, limits.unread);
  }

  get streaming(): boolean {
    return this.#streaming;
  }

  get canStream(): boolean {
    return this.#streaming || this.#accepts.stream;
  }

  /** Whether the client is gone or the response is complete. */
  get closed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  /** Sends a message as an event; the first one opens the stream. */
  event(message: RpcMessage): void {
    this.openStream();
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  openStream(): void {
    if (this.#streaming || this.closed) return;
    this.#streaming = true;
    this.#response.writeHead(200, streamHeaders);
    this.#response.flushHeaders();
    const id = this.#events.prime?.();
    // An event without data only tells the client the id of the stream.
    if (id !== undefined) this.#write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
  }

  /** Sends the result: as the last event of a stream, or as JSON. */
  finish(messages: RpcMessage | readonly RpcMessage[], status = 200): void {
    if (this.closed) return;
    if (this.#streaming || !this.#accepts.json) {
      for (const message of [messages].flat()) this.event(message);
      this.#writer.end();
      return;
    }
    const body = JSON.stringify(messages);
    this.#response.writeHead(status, {
      ...plainHeaders,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    this.#writer.end(body);
  }

  /** Ends a stream without a result. A response that is not a stream is destroyed. */
  end(): void {
    if (this.#streaming) this.#writer.end();
    else this.#response.destroy();
  }

  destroy(): void {
    this.#response.destroy();
  }

  /** Gives the owner the last chance to answer before the connection is closed. */
  cut(): void {
    if (!this.closed) this.#events.cut?.();
  }

  /** Applies the time limits; called about once a second. */
  look(): void {
    if (this.#response.destroyed || this.#response.writableFinished) return;
    if (this.#writer.isStuck(this.#limits.stallMs)) {
      this.#lose();
      return;
    }
    if (this.#response.writableEnded) return;
    const now = performance.now();
    if (now - this.#begun >= this.#limits.callMs) this.#events.late?.();
    else if (!this.#streaming && this.#accepts.stream && now - this.#begun >= this.#limits.streamAfterMs) {
      this.openStream();
    }
    if (now - this.#touched < this.#limits.keepAliveMs) return;
    this.#touched = now;
    if (this.#streaming) this.#write(': still here\n\n');
    this.#events.tick?.();
  }

  #write(text: string): void {
    if (this.closed) return;
    this.#touched = performance.now();
    if (!this.#writer.write(text)) this.#lose();
  }

  #lose(): void {
    this.#response.destroy();
    this.#events.slow?.();
  }
}

/** Milliseconds after which a client reconnects to a broken stream. */
const retryMs = 250;

const streamHeaders = {
  ...plainHeaders,
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Some proxies would buffer the events otherwise.
  'x-accel-buffering': 'no',
} as const;

/** Bytes handed to the system at once: the granularity in which progress is seen. */
const portion = 64 * 1024;

/**
 * Writes one response, with a bound on what is buffered for a client that does not read. A message of any size is
 * accepted whole, but none while more than `most` bytes are waiting.
 */
export class BoundedWriter {
  readonly #response: ServerResponse;
  readonly #most: number;
  readonly #queue: Buffer[] = [];
  #queued = 0;
  /** Since when the client has read nothing; `undefined` while nothing is waiting. */
  #stuckSince: number | undefined;
  #ended = false;

  constructor(response: ServerResponse, most: number) {
    this.#response = response;
    this.#most = most;
    response.on('drain', () => this.#resume());
  }

  /** Returns false, and takes nothing, if too much is waiting already. */
  write(text: string): boolean {
    if (this.#ended) return true;
    if (this.#queued + this.#response.writableLength > this.#most) return false;
    this.#enqueue(text);
    this.#pump();
    return true;
  }

  end(text = ''): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#queue.length === 0 && text.length < portion) {
      this.#response.end(text);
      this.#stuckSince = performance.now();
      return;
    }
    this.#enqueue(text);
    this.#pump();
  }

  /** Tells whether the client has read nothing for this long although something is waiting. */
  isStuck(milliseconds: number): boolean {
    if (this.#response.writableFinished || this.#stuckSince === undefined) return false;
    // A response that is queued behind another on the same connection cannot progress yet.
    if (this.#response.socket === null) this.#stuckSince = performance.now();
    return performance.now() - this.#stuckSince >= milliseconds;
  }

  #enqueue(text: string): void {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += portion) {
      this.#queue.push(bytes.subarray(start, start + portion));
    }
    this.#queued += bytes.length;
  }

  #resume(): void {
    this.#stuckSince = undefined;
    this.#pump();
  }

  #pump(): void {
    while (this.#stuckSince === undefined) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.#queued -= next.length;
      if (!this.#response.write(next)) this.#stuckSince = performance.now();
    }
    if (!this.#ended || this.#queue.length > 0 || this.#response.writableEnded) return;
    this.#response.end();
    this.#stuckSince ??= performance.now();
  }
}
