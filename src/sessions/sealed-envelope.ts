import type { KeyedDigest } from './keyed-digest.ts';
import type { Envelope } from './session-store.ts';

/** What travels over a channel: the digest covers every field and the channel itself. */
export function sealEnvelope(digest: KeyedDigest, channel: string, envelope: Envelope): string {
  const { session, principal, message } = envelope;
  const body = JSON.stringify([session, principal, message]);
  return `${digest.of(channel, body)}.${body}`;
}

/** The envelope; `undefined` for anything that no node of ours has sealed for this channel. */
export function openEnvelope(digest: KeyedDigest, channel: string, text: string): Envelope | undefined {
  const dot = text.indexOf('.');
  const body = text.slice(dot + 1);
  if (dot === -1 || !digest.matches(text.slice(0, dot), channel, body)) return undefined;
  const [session, principal, message] = JSON.parse(body) as [string, string, unknown];
  return { session, principal, message };
}
