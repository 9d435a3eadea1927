import type { RpcRequest } from '../exchange/json-rpc.ts';
import { subscribedKinds, type ChangeSubscription, type SubscriptionKind } from '../exchange/listeners.ts';
import type { Reply } from '../exchange/reply.ts';
import type { Endpoint, Exchange } from '../exchange/endpoint.ts';

/** Opens a subscription in 2026-07-28. */
export const listenMethod = 'subscriptions/listen';

/**
 * Serves a subscription: sends the acknowledgement, then matching notifications. It ends when the client disconnects,
 * the endpoint closes, or its maximum duration is over; the client may subscribe again.
 */
export function serveSubscription(
  endpoint: Endpoint,
  exchange: Exchange,
  { message, announces }: { readonly message: RpcRequest; readonly announces: readonly SubscriptionKind[] },
): void {
  const { principal } = exchange;
  const { id } = message;
  const kinds = subscribedKinds(message.params, announces);
  if (!exchange.accepts.stream) return endpoint.turnAway(exchange, 'not-acceptable', { id });
  if (isFull(endpoint, principal)) return endpoint.turnAway(exchange, 'too-many-subscriptions', { id });
  const begun = performance.now();
  const reply: Reply = endpoint.openReply(exchange, {
    endless: true,
    tick: () => {
      if (performance.now() - begun >= endpoint.limits.subscriptionMs)
        endpoint.subscriptions.end(subscription);
    },
  });
  if (kinds === undefined) {
    const error = { code: -32_602, message: 'Invalid params: notifications must be an object' };
    reply.finish({ jsonrpc: '2.0', id, error });
    return;
  }
  const subscription: ChangeSubscription = { id, principal, kinds, reply };
  exchange.response.once('close', () => endpoint.subscriptions.forget(subscription));
  endpoint.subscriptions.open(subscription);
  // None of the requested kinds is announced here, so end at once.
  if (kinds.size === 0) endpoint.subscriptions.end(subscription);
}

function isFull({ subscriptions, limits }: Endpoint, principal: string): boolean {
  return (
    subscriptions.size >= limits.subscriptions ||
    subscriptions.countOf(principal) >= limits.subscriptionsPerToken
  );
}
