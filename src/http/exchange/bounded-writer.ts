import type { ServerResponse } from 'node:http';

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
