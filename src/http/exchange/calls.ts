import type { RpcId, RpcNotification, RpcResponse } from './json-rpc.ts';

/** A running call, as other requests may affect it. */
export interface OpenCall {
  /** The client cancelled it and expects no answer. */
  readonly cancel: (notification: RpcNotification) => void;
  /** Ends it without a result: the session is over, or the connection was lost. */
  readonly abandon: (reason: string) => void;
  /** The id of its response stream, once there is one. */
  readonly stream?: () => string | undefined;
}

/** The running calls, by session and id. */
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

  /** Abandons all running calls of a session that is over. */
  abandon(session: string): void {
    for (const call of new Set(this.#sessions.get(session)?.values())) call.abandon('The session is over');
  }
}

interface FinishedCall {
  readonly text: string;
  readonly until: number;
}

export interface FinishedOptions {
  /** Milliseconds for which a result is kept. */
  readonly life?: number;
  /** Maximum number of characters of all results together. */
  readonly most?: number;
  /** Monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Keeps the results of calls that were answered on a stream, so that a client that lost the stream can ask for
 * them. Kept for `life` milliseconds and up to `most` characters; older results make room.
 */
export class FinishedCalls {
  readonly #life: number;
  readonly #most: number;
  readonly #now: () => number;
  /** Keyed by stream, oldest first. */
  readonly #kept = new Map<string, FinishedCall>();
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

  /** Keeps the first result of a stream; later ones are ignored. */
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
