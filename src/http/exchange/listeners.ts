import { type Fields, isFields } from '../../base/fields.ts';
import { type RpcId, type RpcNotification } from './json-rpc.ts';
import type { Reply } from './reply.ts';

/** The notification streams that clients opened with GET, one per session. */
export class NotificationStreams {
  readonly #streams = new Map<string, Reply>();

  get size(): number {
    return this.#streams.size;
  }

  /** Replaces the stream of the session, if any: a client that reconnects may have lost it unnoticed. */
  open(session: string, reply: Reply): void {
    this.#streams.get(session)?.end();
    this.#streams.set(session, reply);
    reply.openStream();
  }

  /** Removes a closed stream, unless another one has replaced it. */
  forget(session: string, reply: Reply): void {
    if (this.#streams.get(session) === reply) this.#streams.delete(session);
  }

  /** Sends to the stream of one session, or to all. Returns whether any stream was open. */
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

/** The subscriptions of 2026-07-28, by the names clients use, and the notification of each. */
const methods = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
} as const;

export type SubscriptionKind = keyof typeof methods;

/** A stream that a client of 2026-07-28 opened with `subscriptions/listen`. */
export interface ChangeSubscription {
  /** The id of the request that opened it; every message on the stream carries it. */
  readonly id: RpcId;
  readonly principal: string;
  readonly kinds: ReadonlySet<SubscriptionKind>;
  readonly reply: Reply;
}

/** The subscriptions of one endpoint. */
export class ChangeSubscriptions {
  readonly #open = new Set<ChangeSubscription>();

  get size(): number {
    return this.#open.size;
  }

  countOf(principal: string): number {
    let count = 0;
    for (const subscription of this.#open) if (subscription.principal === principal) count += 1;
    return count;
  }

  /** Registers a subscription and sends the acknowledgement, which lists the accepted kinds. */
  open(subscription: ChangeSubscription): void {
    this.#open.add(subscription);
    const notifications = Object.fromEntries([...subscription.kinds].map((kind) => [kind, true]));
    const method = 'notifications/subscriptions/acknowledged';
    subscription.reply.event(stamp({ jsonrpc: '2.0', method, params: { notifications } }, subscription.id));
  }

  forget(subscription: ChangeSubscription): void {
    this.#open.delete(subscription);
  }

  send(notification: RpcNotification): void {
    for (const { id, kinds, reply } of this.#open)
      if ([...kinds].some((kind) => methods[kind] === notification.method))
        reply.event(stamp(notification, id));
  }

  /** Sends the final result of one subscription, or of all. */
  end(subscription?: ChangeSubscription): void {
    for (const { id, reply } of subscription === undefined ? [...this.#open] : [subscription])
      reply.finish({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta: { [idKey]: id } } });
  }
}

/** Returns the requested kinds that this endpoint announces; `undefined` if the request names none. */
export function subscribedKinds(
  params: Fields | undefined,
  announced: readonly SubscriptionKind[],
): ReadonlySet<SubscriptionKind> | undefined {
  const wanted = params?.['notifications'];
  if (!isFields(wanted)) return undefined;
  return new Set(announced.filter((kind) => wanted[kind] === true));
}

const idKey = 'io.modelcontextprotocol/subscriptionId';

function stamp({ params = {}, ...rest }: RpcNotification, id: RpcId): RpcNotification {
  const meta = params['_meta'];
  return { ...rest, params: { ...params, _meta: { ...(isFields(meta) && meta), [idKey]: id } } };
}
