import type { ArrivalMark } from './session-store.ts';

/** How long a request is remembered, so that it is not served twice. */
const repeatWithin = 60_000;

interface SeenRequest {
  /** Milliseconds, from any point on. */
  readonly came: number;
  readonly arrival: ArrivalMark;
}

/** The requests of one session that came within the last minute. */
export class SeenRequests {
  /** In the order in which they came. */
  readonly #seen = new Map<string, SeenRequest>();

  /** Whether one of them came before. All of them are remembered. */
  see(requests: readonly string[], as: SeenRequest): boolean {
    this.sweep(as.came);
    const repeated = requests.some((request) => this.#seen.has(request));
    for (const request of requests) if (!this.#seen.has(request)) this.#seen.set(request, as);
    return repeated;
  }

  /** Those of this arrival may come again. */
  forget(requests: readonly string[], arrival: ArrivalMark): void {
    for (const request of requests) {
      if (this.#seen.get(request)?.arrival === arrival) this.#seen.delete(request);
    }
  }

  /** How many are left. */
  sweep(now: number): number {
    for (const [request, { came }] of this.#seen) {
      if (came > now - repeatWithin) break;
      this.#seen.delete(request);
    }
    return this.#seen.size;
  }
}
