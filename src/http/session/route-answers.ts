import type { SessionRecord } from '../../sessions/record/session-store.ts';
import type { RpcMessage, RpcResponse } from '../exchange/json-rpc.ts';
import type { RefusalName } from '../exchange/refusals.ts';
import type { Endpoint } from '../exchange/endpoint.ts';
import { nodeOf, questionOf } from '../exchange/waiting-answers.ts';

/**
 * Sends the answers of a client to the nodes that asked. Delivers as many as it can; returns a refusal if one of them
 * matches no question.
 */
export async function routeAnswers(
  endpoint: Endpoint,
  record: SessionRecord,
  responses: readonly RpcResponse[],
): Promise<RefusalName | undefined> {
  let refused: RefusalName | undefined;
  for (const response of responses) refused = (await route(endpoint, record, response)) ?? refused;
  return refused;
}

/** Sends an answer to the node that asked. Returns the refusal if it was not accepted. */
export async function route(
  { store }: Endpoint,
  { id: session, principal }: Pick<SessionRecord, 'id' | 'principal'>,
  message: RpcMessage,
): Promise<RefusalName | undefined> {
  const asked = nodeOf(store, questionOf(message) ?? '', { session, principal });
  if (asked === 'forged') return 'forged-answer';
  if (asked === undefined) return 'unknown-answer';
  const delivery = await store.deliver(asked.node, { session, principal, message });
  return delivery === 'accepted' ? undefined : 'unknown-answer';
}
