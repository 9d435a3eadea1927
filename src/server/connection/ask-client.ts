import { fieldsOf } from '../../base/fields.ts';
import { bounded } from '../../base/wait.ts';
import type { SendOptions, WireRequest } from '../sdk/protocol-server.ts';

/** One way for a request to reach the client. */
export type ClientRoute = (request: WireRequest, options: SendOptions) => Promise<unknown>;

/** What became of a question. */
export type ClientAnswer =
  | { readonly kind: 'answered'; readonly result: unknown }
  /** The client said that it cannot or will not. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No answer in time; it may still come. */
  | { readonly kind: 'silent'; readonly reason: string }
  /** The way to the client ended before it could answer: says nothing about the client. */
  | { readonly kind: 'gone'; readonly reason: string };

export interface ClientQuestion {
  readonly request: WireRequest;
  /** The first at once; the next ones only while no answer came. */
  readonly ways: readonly [ClientRoute, ...ClientRoute[]];
  /** Milliseconds until `silent`. */
  readonly patience: number;
  readonly signal?: AbortSignal | undefined;
  /** Gets an answer that came after that. */
  readonly late?: (reply: ClientAnswer) => void;
}

/** How long a way may be silent before the next one is tried beside it. */
const headStart = 700;

/**
 * How much longer than our own patience an answer is still worth having. Not for long: where a client just goes
 * away, the timer of the SDK keeps the process until then.
 */
const lateFactor = 3;

/** Asks the client and never waits for longer than the patience. Never throws: each failure has its kind. */
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
  // One of the two may have gone nowhere; an answer on either counts.
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

/** By code, never by class: there are two SDKs, and maybe two copies of each. */
function classify(error: unknown): ClientAnswer {
  const { code } = fieldsOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  if (code === -32001 || code === 'REQUEST_TIMEOUT') return { kind: 'silent', reason };
  if (code === -32000 || code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED')
    return { kind: 'gone', reason };
  // Without a code nobody answered: "Not connected", a stream that broke.
  return { kind: code === undefined ? 'gone' : 'refused', reason };
}
