import type { Envelope } from '../sessions/session-store.ts';
import { isNotification, type RpcMessage } from './json-rpc.ts';
import { cancelledId } from './session-transport.ts';
import { sessionEnded, type Site } from './site.ts';
import { questionOf } from './waiting-answers.ts';

/** Takes what another node sends: an answer for who waits here, or news about a session. */
export function takeDelivery(site: Site, envelope: Envelope): boolean {
  const message = envelope.message as RpcMessage;
  if (isNotification(message) && questionOf(message) === undefined) {
    takeNews(site, envelope.session, message);
    return true;
  }
  const arrival = site.waiting.take(envelope);
  if (arrival === 'taken') return true;
  const { principal, session } = envelope;
  site.record({ kind: arrival === 'forged' ? 'forged-answer' : 'unknown-answer', principal, session });
  return false;
}

function takeNews(site: Site, session: string, message: RpcMessage & { readonly method: string }): void {
  const cancelled = cancelledId(message);
  if (cancelled !== undefined) {
    site.calls.find(session, cancelled)?.cancel(message);
  } else if (message.method === sessionEnded.method) {
    site.calls.abandon(session);
    site.streams.end(session);
  } else {
    site.streams.send(message, session === '' ? undefined : session);
  }
}
