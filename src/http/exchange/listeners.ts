import { type Fields, isFields } from '../../base/fields.ts';
import { type RpcId, type RpcNotification } from './json-rpc.ts';
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

/** What a client of 2026-07-28 can ask to be told of, in its words, and the notification that tells. */
const methods = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
} as const;

export type SubscriptionKind = keyof typeof methods;

/** A stream that a client of 2026-07-28 opened to be told of changes. */
export interface ChangeSubscription {
  /** Of the request that opened it: everything that is sent bears it. */
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

  /** The first thing that is said is what will be told of. */
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

  /** Says that nothing more will come: of one, or of all. */
  end(subscription?: ChangeSubscription): void {
    for (const { id, reply } of subscription === undefined ? [...this.#open] : [subscription])
      reply.finish({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta: { [idKey]: id } } });
  }
}

/**
 * What was asked for, as far as it can be had. `undefined` if the request does not say.
 */
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
