import type { RpcRequest } from '../exchange/json-rpc.ts';
import { subscribedKinds, type Subscription, type SubscriptionKind } from '../exchange/listeners.ts';
import type { Reply } from '../exchange/reply.ts';
import type { Site, Visit } from '../exchange/site.ts';

/** How a client of 2026-07-28 asks to be told of changes. */
export const listenMethod = 'subscriptions/listen';

/**
 * Serves a subscription: says first what will be told of, then nothing but that. It ends when the client goes, when
 * the endpoint does, and after its time; a client that still wants it subscribes again.
 */
export function serveSubscription(
  site: Site,
  visit: Visit,
  { message, announces }: { readonly message: RpcRequest; readonly announces: readonly SubscriptionKind[] },
): void {
  const { principal } = visit;
  const { id } = message;
  const kinds = subscribedKinds(message.params, announces);
  if (!visit.accepts.stream) return site.turnAway(visit, 'not-acceptable', { id });
  if (isFull(site, principal)) return site.turnAway(visit, 'too-many-subscriptions', { id });
  const begun = performance.now();
  const reply: Reply = site.openReply(visit, {
    tick: () => {
      if (performance.now() - begun >= site.limits.subscriptionMs) site.subscriptions.end(subscription);
    },
  });
  if (kinds === undefined) {
    const error = { code: -32_602, message: 'Invalid params: notifications has to say what is wanted' };
    reply.finish({ jsonrpc: '2.0', id, error });
    return;
  }
  const subscription: Subscription = { id, principal, kinds, reply };
  visit.response.once('close', () => site.subscriptions.forget(subscription));
  site.subscriptions.open(subscription);
  // Of what cannot be had there is nothing to wait for.
  if (kinds.size === 0) site.subscriptions.end(subscription);
}

function isFull({ subscriptions, limits }: Site, principal: string): boolean {
  return (
    subscriptions.size >= limits.subscriptions ||
    subscriptions.countOf(principal) >= limits.subscriptionsPerToken
  );
}
