import type { ServerResponse } from 'node:http';
import type { RpcMessage } from './json-rpc.ts';
import { BoundedWriter } from './bounded-writer.ts';
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
  /** The client does not read, or not fast enough; the connection is gone. */
  slow?(): void;
  /** It took too long to answer. */
  late?(): void;
  /** The id of the stream, for a client that may lose it; asked for when the stream begins. */
  prime?(): string;
  /** The endpoint ends, and does not wait any longer. */
  cut?(): void;
  /** Something waited for a whole keep-alive time: whatever belongs to it may be kept alive too. */
  tick?(): void;
}

/**
 * The answer to one HTTP request: JSON, or a stream of events from the first message on that has to be sent
 * before the answer. Nothing here has a timer; `look` is called now and then.
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

  /** Whether nobody is there any more, or everything is said. */
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
    // An event without data is for the client's memory alone.
    if (id !== undefined) this.#write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
  }

  /** The end of a stream, or the whole answer as JSON. */
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

  /** Ends a stream without another word; an answer that is not a stream has no end like that. */
  end(): void {
    if (this.#streaming) this.#writer.end();
    else this.#response.destroy();
  }

  destroy(): void {
    this.#response.destroy();
  }

  /** The last moment in which something can be said. */
  cut(): void {
    if (!this.closed) this.#events.cut?.();
  }

  /** What time does to an answer: called every second or so. */
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

/** After that long a client asks what became of a stream that broke, in milliseconds. */
const retryMs = 250;

const streamHeaders = {
  ...plainHeaders,
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Some proxies would collect the events otherwise.
  'x-accel-buffering': 'no',
} as const;
