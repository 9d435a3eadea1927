import type { RpcId, RpcNotification, RpcResponse } from './json-rpc.ts';

/** A call that is under way, as far as others may touch it. */
export interface OpenCall {
  /** The client wants no answer any more. */
  readonly cancel: (notification: RpcNotification) => void;
  /** It ends without a result: the session is over, or its connection is lost. */
  readonly abandon: (reason: string) => void;
  /** The name of the stream of its answer, once it is one. */
  readonly stream?: () => string | undefined;
}

/** Which calls are under way, by session and id. */
export class OpenCalls<Call extends OpenCall = OpenCall> {
  readonly #sessions = new Map<string, Map<RpcId, Call>>();

  find(session: string, id: RpcId): Call | undefined {
    return this.#sessions.get(session)?.get(id);
  }

  count(session: string): number {
    return this.#sessions.get(session)?.size ?? 0;
  }

  add(session: string, ids: readonly RpcId[], call: Call): void {
    const calls = this.#sessions.get(session) ?? new Map<RpcId, Call>();
    this.#sessions.set(session, calls);
    for (const id of ids) calls.set(id, call);
  }

  remove(session: string, ids: readonly RpcId[]): void {
    const calls = this.#sessions.get(session);
    if (calls === undefined) return;
    for (const id of ids) calls.delete(id);
    if (calls.size === 0) this.#sessions.delete(session);
  }

  /** Abandons what a session has under way: it is over. */
  abandon(session: string): void {
    for (const call of new Set(this.#sessions.get(session)?.values())) call.abandon('The session is over');
  }
}

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
