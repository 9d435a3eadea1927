import type { KeyedDigest } from './sealing.ts';
import type { Envelope } from './session-store.ts';

export interface Sent {
  /** The node. */
  readonly from: string;
  readonly envelope: Envelope;
}

/** For how long an envelope is one, in milliseconds: clocks of machines differ. */
const lifetime = 600_000;

/** What travels over a channel: the digest covers every field and the channel itself. */
export function sealEnvelope(digest: KeyedDigest, channel: string, { from, envelope }: Sent): string {
  const { session, principal, message } = envelope;
  const body = JSON.stringify([from, Date.now(), session, principal, message]);
  return `${digest.of(channel, body)}.${body}`;
}

/** What was sent; `undefined` for anything that no node of ours has sealed for this channel, not long ago. */
export function openEnvelope(digest: KeyedDigest, channel: string, text: string): Sent | undefined {
  const dot = text.indexOf('.');
  const body = text.slice(dot + 1);
  if (dot === -1 || !digest.matches(text.slice(0, dot), channel, body)) return undefined;
  const [from, at, ...rest] = JSON.parse(body) as [string, number, string, string, unknown];
  if (Math.abs(Date.now() - at) > lifetime) return undefined;
  const [session, principal, message] = rest;
  return { from, envelope: { session, principal, message } };
}
