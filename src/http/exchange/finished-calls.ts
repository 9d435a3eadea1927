import type { RpcResponse } from './json-rpc.ts';

interface Finished {
  readonly text: string;
  readonly until: number;
}

export interface FinishedOptions {
  /** Milliseconds for which an end is known. */
  readonly life?: number;
  /** Characters of all of them. */
  readonly most?: number;
  /** Milliseconds, from any point on. */
  readonly now?: () => number;
}

/**
 * How calls ended whose answer went out as a stream: whoever lost the stream may ask for it. For a while, and
 * no more than fit; what is not known any more is said to be so.
 */
export class FinishedCalls {
  readonly #life: number;
  readonly #most: number;
  readonly #now: () => number;
  /** By stream, the oldest first. */
  readonly #kept = new Map<string, Finished>();
  #size = 0;

  constructor({
    life = 60_000,
    most = 8 * 1024 * 1024,
    now = () => performance.now(),
  }: FinishedOptions = {}) {
    this.#life = life;
    this.#most = most;
    this.#now = now;
  }

  /** The first end counts. */
  keep(stream: string, response: RpcResponse): void {
    if (this.#kept.has(stream)) return;
    const text = JSON.stringify(response);
    this.sweep();
    for (const oldest of this.#kept.keys()) {
      if (this.#size + text.length <= this.#most) break;
      this.#forget(oldest);
    }
    if (text.length > this.#most) return;
    this.#kept.set(stream, { text, until: this.#now() + this.#life });
    this.#size += text.length;
  }

  find(stream: string): RpcResponse | undefined {
    this.sweep();
    const kept = this.#kept.get(stream);
    return kept === undefined ? undefined : (JSON.parse(kept.text) as RpcResponse);
  }

  sweep(): void {
    const now = this.#now();
    for (const [stream, { until }] of this.#kept) {
      if (until > now) return;
      this.#forget(stream);
    }
  }

  #forget(stream: string): void {
    this.#size -= this.#kept.get(stream)?.text.length ?? 0;
    this.#kept.delete(stream);
  }
}
