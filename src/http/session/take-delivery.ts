import type { Envelope } from '../../sessions/record/session-store.ts';
import { isNotification, type RpcMessage, type RpcNotification } from '../exchange/json-rpc.ts';
import { readResumption, resumptionMethods } from '../exchange/resumptions.ts';
import { sessionEnded, type Endpoint, streamOpened } from '../exchange/endpoint.ts';
import { questionOf } from '../exchange/waiting-answers.ts';
import { endHere } from './serve-stream.ts';
import { cancelledId } from './session-transport.ts';

/**
 * Takes a message from another node: an answer for a waiter here, or news about a session. Returns whether it was
 * accepted.
 */
export function takeDelivery(endpoint: Endpoint, envelope: Envelope): boolean {
  const message = envelope.message as RpcMessage;
  if (isNotification(message) && questionOf(message) === undefined) {
    takeNews(endpoint, envelope, message);
    return true;
  }
  const arrival = endpoint.waiting.take(envelope);
  if (arrival === 'taken') return true;
  const { principal, session } = envelope;
  endpoint.record({ kind: arrival === 'forged' ? 'forged-answer' : 'unknown-answer', principal, session });
  return false;
}

function takeNews(
  endpoint: Endpoint,
  envelope: Envelope,
  message: RpcMessage & { readonly method: string },
): void {
  const { session } = envelope;
  const cancelled = cancelledId(message);
  if (cancelled !== undefined) {
    endpoint.calls.find(session, cancelled)?.cancel(message);
  } else if (message.method === sessionEnded.method) {
    endpoint.calls.abandon(session);
    endpoint.streams.end(session);
  } else if (message.method === streamOpened.method) {
    endpoint.streams.end(session);
  } else if (message.method === resumptionMethods.ask) {
    void tellEnd(endpoint, envelope, message);
  } else if (message.method === resumptionMethods.tell) {
    endpoint.resumptions.take(message);
  } else if (session === '') {
    endpoint.tellAll(message);
  } else {
    endpoint.streams.send(message, session);
  }
}

/** Answers another node, whose client lost a stream of this one. */
async function tellEnd(
  endpoint: Endpoint,
  { session, principal }: Envelope,
  asked: RpcNotification,
): Promise<void> {
  const { stream, node, tell } = readResumption(asked);
  try {
    const named = await endpoint.store.lookup(stream);
    const end = named?.session === session ? endHere(endpoint, { ...named, event: stream }) : undefined;
    await endpoint.store.deliver(node, { session, principal, message: tell(end) });
  } catch {
    // The other node stops waiting by itself.
  }
}
