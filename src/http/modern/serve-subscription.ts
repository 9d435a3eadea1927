import type { RpcRequest } from '../exchange/json-rpc.ts';
import { subscribedKinds, type ChangeSubscription, type SubscriptionKind } from '../exchange/listeners.ts';
import type { Reply } from '../exchange/reply.ts';
import type { Endpoint, Exchange } from '../exchange/endpoint.ts';

/** How a client of 2026-07-28 asks to be told of changes. */
export const listenMethod = 'subscriptions/listen';

/**
 * Serves a subscription: says first what will be told of, then nothing but that. It ends when the client goes, when
 * the endpoint does, and after its time; a client that still wants it subscribes again.
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
    tick: () => {
      if (performance.now() - begun >= endpoint.limits.subscriptionMs)
        endpoint.subscriptions.end(subscription);
    },
  });
  if (kinds === undefined) {
    const error = { code: -32_602, message: 'Invalid params: notifications has to say what is wanted' };
    reply.finish({ jsonrpc: '2.0', id, error });
    return;
  }
  const subscription: ChangeSubscription = { id, principal, kinds, reply };
  exchange.response.once('close', () => endpoint.subscriptions.forget(subscription));
  endpoint.subscriptions.open(subscription);
  // Of what cannot be had there is nothing to wait for.
  if (kinds.size === 0) endpoint.subscriptions.end(subscription);
}

function isFull({ subscriptions, limits }: Endpoint, principal: string): boolean {
  return (
    subscriptions.size >= limits.subscriptions ||
    subscriptions.countOf(principal) >= limits.subscriptionsPerToken
  );
}
