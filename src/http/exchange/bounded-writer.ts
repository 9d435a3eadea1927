import type { ServerResponse } from 'node:http';

/** Bytes that are handed to the system at once: progress is seen in steps of this size. */
const portion = 64 * 1024;

/**
 * The way out of one response, with a bound on what waits for a client that does not read. A message is taken
 * whole, however large; the next one is not while more than `most` bytes wait.
 */
export class BoundedWriter {
  readonly #response: ServerResponse;
  readonly #most: number;
  readonly #queue: Buffer[] = [];
  #queued = 0;
  /** Since when nothing moved; `undefined` while nothing waits. */
  #stuckSince: number | undefined;
  #ended = false;

  constructor(response: ServerResponse, most: number) {
    this.#response = response;
    this.#most = most;
    response.on('drain', () => this.#resume());
  }

  /** False if too much waits already: then nothing was taken. */
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

  /** Whether the client took nothing for that long although something waits. */
  isStuck(milliseconds: number): boolean {
    if (this.#response.writableFinished || this.#stuckSince === undefined) return false;
    // Behind another answer on the same connection nothing can move yet.
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
