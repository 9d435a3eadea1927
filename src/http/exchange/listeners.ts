import type { RpcNotification } from './json-rpc.ts';
import type { Reply } from './reply.ts';

/** The streams that clients opened with GET, one for a session. */
export class NotificationStreams {
  readonly #streams = new Map<string, Reply>();

  get size(): number {
    return this.#streams.size;
  }

  /** A new stream takes the place of the old one: who comes back may have lost it without our noticing. */
  open(session: string, reply: Reply): void {
    this.#streams.get(session)?.end();
    this.#streams.set(session, reply);
    reply.openStream();
  }

  /** Forgets a stream that is gone, unless another one took its place. */
  forget(session: string, reply: Reply): void {
    if (this.#streams.get(session) === reply) this.#streams.delete(session);
  }

  /** To one session, or to all. Who has no stream is told nothing; says whether anybody was. */
  send(notification: RpcNotification, session?: string): boolean {
    const replies = session === undefined ? [...this.#streams.values()] : [this.#streams.get(session)];
    for (const reply of replies) reply?.event(notification);
    return replies.some((reply) => reply !== undefined);
  }

  end(session?: string): void {
    if (session === undefined) for (const reply of this.#streams.values()) reply.end();
    else this.#streams.get(session)?.end();
  }
}
