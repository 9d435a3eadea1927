import type { Envelope } from '../../sessions/record/session-store.ts';
import { isNotification, type RpcMessage, type RpcNotification } from '../exchange/json-rpc.ts';
import { readResumption, resumptionMethods } from '../exchange/resumptions.ts';
import { sessionEnded, type Site, streamOpened } from '../exchange/site.ts';
import { questionOf } from '../exchange/waiting-answers.ts';
import { endHere } from './serve-stream.ts';
import { cancelledId } from './session-transport.ts';

/** Takes what another node sends: an answer for who waits here, or news about a session. */
export function takeDelivery(site: Site, envelope: Envelope): boolean {
  const message = envelope.message as RpcMessage;
  if (isNotification(message) && questionOf(message) === undefined) {
    takeNews(site, envelope, message);
    return true;
  }
  const arrival = site.waiting.take(envelope);
  if (arrival === 'taken') return true;
  const { principal, session } = envelope;
  site.record({ kind: arrival === 'forged' ? 'forged-answer' : 'unknown-answer', principal, session });
  return false;
}

function takeNews(site: Site, envelope: Envelope, message: RpcMessage & { readonly method: string }): void {
  const { session } = envelope;
  const cancelled = cancelledId(message);
  if (cancelled !== undefined) {
    site.calls.find(session, cancelled)?.cancel(message);
  } else if (message.method === sessionEnded.method) {
    site.calls.abandon(session);
    site.streams.end(session);
  } else if (message.method === streamOpened.method) {
    site.streams.end(session);
  } else if (message.method === resumptionMethods.ask) {
    void tellEnd(site, envelope, message);
  } else if (message.method === resumptionMethods.tell) {
    site.resumptions.take(message);
  } else if (session === '') {
    site.tellAll(message);
  } else {
    site.streams.send(message, session);
  }
}

/** Another node has a client that lost a stream of this one. */
async function tellEnd(site: Site, { session, principal }: Envelope, asked: RpcNotification): Promise<void> {
  const { stream, node, tell } = readResumption(asked);
  try {
    const named = await site.store.lookup(stream);
    const end = named?.session === session ? endHere(site, { ...named, event: stream }) : undefined;
    await site.store.deliver(node, { session, principal, message: tell(end) });
  } catch {
    // Who asks does not wait for ever.
  }
}
