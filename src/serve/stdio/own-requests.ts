import { randomBytes } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { fieldsOf } from '../../base/fields.ts';

/** A request or a notification. */
type CalledMessage = Extract<JSONRPCMessage, { method: string }>;

/** Requests that may be open at a time; the oldest one is forgotten first. */
const most = 1_000;

/**
 * Gives the requests of a server ids that no other process uses. An SDK counts them from zero, as every client and
 * every restarted server does, so that a late answer to one could be taken for an answer to another.
 */
export class OwnRequests {
  /** 72 random bits for each connection. */
  readonly #prefix = `rootward-${randomBytes(9).toString('base64url')}-`;
  readonly #open = new Map<string, string | number>();

  /** Translates the ids in a request or a notification of the server. */
  outgoing(message: CalledMessage): CalledMessage {
    if ('id' in message) return this.#ask(message);
    if (message.method !== 'notifications/cancelled') return message;
    const { requestId } = fieldsOf(message.params);
    const id = this.#nameOf(requestId);
    if (!this.#open.delete(id)) return message;
    return { ...message, params: { ...message.params, requestId: id } };
  }

  /** Translates a response back; `undefined` if no request waits for it. */
  response<Response extends object>(response: Response): Response | undefined {
    const { id } = fieldsOf(response);
    const known = typeof id === 'string' ? this.#open.get(id) : undefined;
    if (known === undefined || typeof id !== 'string') return undefined;
    this.#open.delete(id);
    return { ...response, id: known };
  }

  /** Translates the progress of an open request back. */
  incoming<Message extends CalledMessage>(message: Message): Message {
    const { progressToken } = fieldsOf(message.params);
    const known = typeof progressToken === 'string' ? this.#open.get(progressToken) : undefined;
    return known === undefined
      ? message
      : { ...message, params: { ...message.params, progressToken: known } };
  }

  #ask<Request extends { readonly id: string | number; readonly params?: unknown }>(
    request: Request,
  ): Request {
    const id = this.#nameOf(request.id);
    this.#open.set(id, request.id);
    for (const oldest of this.#open.keys()) if (this.#open.size > most) this.#open.delete(oldest);
    const params = fieldsOf(request.params);
    const meta = fieldsOf(params['_meta']);
    // Both SDKs use the request id as progress token.
    if (meta['progressToken'] !== request.id) return { ...request, id };
    return { ...request, id, params: { ...params, _meta: { ...meta, progressToken: id } } };
  }

  #nameOf(id: unknown): string {
    return `${this.#prefix}${String(id)}`;
  }
}
