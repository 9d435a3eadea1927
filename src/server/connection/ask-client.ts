import { fieldsOf } from '../../base/fields.ts';
import { bounded } from '../../base/wait.ts';
import type { SendOptions, WireRequest } from '../sdk/protocol-server.ts';

/** One way to send a request to the client. */
export type ClientRoute = (request: WireRequest, options: SendOptions) => Promise<unknown>;

/** The outcome of a question. */
export type ClientAnswer =
  | { readonly kind: 'answered'; readonly result: unknown }
  /** The client refused. `unknown`: it does not know the method. */
  | { readonly kind: 'refused'; readonly reason: string; readonly unknown?: true }
  /** No answer within the patience; one may still come. */
  | { readonly kind: 'silent'; readonly reason: string }
  /** The route to the client closed before it could answer, which says nothing about the client. */
  | { readonly kind: 'gone'; readonly reason: string };

export interface ClientQuestion {
  readonly request: WireRequest;
  /** The first route is used at once, the next ones only while there is no answer. */
  readonly ways: readonly [ClientRoute, ...ClientRoute[]];
  /** Milliseconds until `silent`. */
  readonly patience: number;
  readonly signal?: AbortSignal | undefined;
  /** Receives an answer that came too late. */
  readonly late?: (reply: ClientAnswer) => void;
}

/** Milliseconds of silence after which the next route is tried in parallel. */
const headStart = 700;

/**
 * How much longer than the patience a late answer is accepted. Not much: if a client just goes away, the SDK's
 * timer keeps the process alive until then.
 */
const lateFactor = 3;

/** Asks the client and waits no longer than the patience. It never throws: every failure has a kind. */
export async function askClient(question: ClientQuestion): Promise<ClientAnswer> {
  const { patience, signal, late } = question;
  const reply = firstReply(question);
  const first = await bounded(reply, { patience, signal });
  if ('value' in first) return first.value;
  if (late !== undefined) void reply.then(late);
  if (first.ended === 'aborted') return { kind: 'gone', reason: 'the call was cancelled' };
  return { kind: 'silent', reason: `no answer within ${patience / 1000} s` };
}

async function firstReply({ request, ways, patience }: ClientQuestion): Promise<ClientAnswer> {
  const [way, second] = ways;
  const timeout = patience * lateFactor;
  const first = attempt(way, request, timeout);
  if (second === undefined) return first;
  const early = await bounded(first, { patience: Math.min(headStart, patience / 2) });
  if ('value' in early) return early.value;
  // One of the routes may lead nowhere; an answer on either counts.
  const replies = [first, attempt(second, request, timeout)];
  return Promise.any(replies.map(rejectSilence)).catch(() => first);
}

async function rejectSilence(pending: Promise<ClientAnswer>): Promise<ClientAnswer> {
  const reply = await pending;
  if (reply.kind === 'answered' || reply.kind === 'refused') return reply;
  throw new Error(reply.reason);
}

async function attempt(way: ClientRoute, request: WireRequest, timeout: number): Promise<ClientAnswer> {
  try {
    return { kind: 'answered', result: await way(request, { timeout }) };
  } catch (error) {
    return classify(error);
  }
}

/** Classifies by code, not by class, because there are two SDKs and possibly two copies of each. */
function classify(error: unknown): ClientAnswer {
  const { code } = fieldsOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  if (code === -32001 || code === 'REQUEST_TIMEOUT') return { kind: 'silent', reason };
  if (code === -32000 || code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED')
    return { kind: 'gone', reason };
  // An error without a code comes from the connection, such as "Not connected", and not from the client.
  if (code === -32601) return { kind: 'refused', reason, unknown: true };
  return { kind: code === undefined ? 'gone' : 'refused', reason };
}
