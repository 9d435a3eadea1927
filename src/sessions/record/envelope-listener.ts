import type { DeliveryResult, Envelope } from './session-store.ts';

/** The method of the message that tells other nodes that a session is over. */
export const sessionEndedMethod = 'rootward/session_ended';

/** The one listener of a node for messages from other nodes. */
export class EnvelopeListener {
  #listener: ((envelope: Envelope) => boolean) | undefined;

  /** Replaces the listener. Returns a function that removes it, unless it was replaced in turn. */
  set(listener: (envelope: Envelope) => boolean): () => void {
    this.#listener = listener;
    return () => {
      if (this.#listener === listener) this.#listener = undefined;
    };
  }

  deliver(envelope: Envelope): DeliveryResult {
    if (this.#listener === undefined) return 'no-node';
    return this.#listener(envelope) ? 'accepted' : 'refused';
  }

  clear(): void {
    this.#listener = undefined;
  }
}
