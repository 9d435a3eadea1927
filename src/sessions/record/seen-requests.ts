import type { ArrivalMark } from './session-store.ts';

/** Milliseconds for which a request is remembered, so that it does not run twice. */
const repeatWithin = 60_000;

interface SeenRequest {
  /** When the request arrived, on the clock of the store. */
  readonly came: number;
  readonly arrival: ArrivalMark;
}

/** The requests of one session that came within the last minute. */
export class SeenRequests {
  /** In order of arrival. */
  readonly #seen = new Map<string, SeenRequest>();

  /** Remembers the requests, and returns whether one of them had been seen before. */
  see(requests: readonly string[], as: SeenRequest): boolean {
    this.sweep(as.came);
    const repeated = requests.some((request) => this.#seen.has(request));
    for (const request of requests) if (!this.#seen.has(request)) this.#seen.set(request, as);
    return repeated;
  }

  /** Forgets the requests of this arrival, so that they may be sent again. */
  forget(requests: readonly string[], arrival: ArrivalMark): void {
    for (const request of requests) {
      if (this.#seen.get(request)?.arrival === arrival) this.#seen.delete(request);
    }
  }

  /** Drops old requests and returns how many are left. */
  sweep(now: number): number {
    for (const [request, { came }] of this.#seen) {
      if (came > now - repeatWithin) break;
      this.#seen.delete(request);
    }
    return this.#seen.size;
  }
}
