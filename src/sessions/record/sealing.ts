import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Envelope, StreamStart } from './session-store.ts';

/** A digest that only the holders of a secret can make: letters, digits, `-` and `_`, 43 unless told otherwise. */
export interface KeyedDigest {
  /** How many characters one has. */
  readonly length: number;
  /** Whether there is more than one secret: then a digest may not be that of the first. */
  readonly changing: boolean;
  /** Over all of the parts; none can be moved into another. */
  of(...parts: readonly string[]): string;
  /** Whether it was made with one of the secrets. */
  matches(digest: string, ...parts: readonly string[]): boolean;
}

/**
 * The first secret makes digests, all of them are accepted. Each purpose has keys of its own, so that what is
 * made for one is worth nothing for another.
 */
export function createKeyedDigest(secrets: readonly Uint8Array[], purpose: string, size = 32): KeyedDigest {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, 'rootward', purpose, 32)));
  const [first = Buffer.alloc(0)] = keys;
  return {
    length: Math.ceil((size * 4) / 3),
    changing: keys.length > 1,
    of: (...parts) => digestOf(first, parts).subarray(0, size).toString('base64url'),
    matches(given, ...parts) {
      const bytes = Buffer.from(given, 'base64url');
      return keys.some((key) => {
        const expected = digestOf(key, parts).subarray(0, size);
        return bytes.length === expected.length && timingSafeEqual(bytes, expected);
      });
    },
  };
}

function digestOf(key: Buffer, parts: readonly string[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
  return hmac.digest();
}

export interface SentEnvelope {
  /** The node. */
  readonly from: string;
  readonly envelope: Envelope;
}

/** For how long an envelope is one, in milliseconds: clocks of machines differ. */
const lifetime = 600_000;

/** What travels over a channel: the digest covers every field and the channel itself. */
export function sealEnvelope(digest: KeyedDigest, channel: string, { from, envelope }: SentEnvelope): string {
  const { session, principal, message } = envelope;
  const body = JSON.stringify([from, Date.now(), session, principal, message]);
  return `${digest.of(channel, body)}.${body}`;
}

/** What was sent; `undefined` for anything that no node of ours has sealed for this channel, not long ago. */
export function openEnvelope(digest: KeyedDigest, channel: string, text: string): SentEnvelope | undefined {
  const dot = text.indexOf('.');
  const body = text.slice(dot + 1);
  if (dot === -1 || !digest.matches(text.slice(0, dot), channel, body)) return undefined;
  const [from, at, ...rest] = JSON.parse(body) as [string, number, string, string, unknown];
  if (Math.abs(Date.now() - at) > lifetime) return undefined;
  const [session, principal, message] = rest;
  return { from, envelope: { session, principal, message } };
}

/** What the name of a stream says by itself, so that nothing has to be written when one begins. */
export interface StreamName extends StreamStart {
  readonly node: string;
  /** Tells streams of one node apart. */
  readonly nonce: string;
}

/** Characters of a digest, and of a name that is looked at. */
const digestLength = 43;
const longest = 2_048;

export function nameStream(digest: KeyedDigest, node: string, { session, request }: StreamStart): string {
  const nonce = randomBytes(12).toString('base64url');
  const body = Buffer.from(JSON.stringify([node, nonce, session, request])).toString('base64url');
  return `${body}${digest.of(body)}`;
}

/** What a name says, if one of our nodes has made it. */
export function readStreamName(digest: KeyedDigest, name: string): StreamName | undefined {
  const body = name.slice(0, -digestLength);
  if (name.length > longest || !digest.matches(name.slice(-digestLength), body)) return undefined;
  const [node, nonce, session, request] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
    string,
    string,
    string,
    string | number,
  ];
  return { node, nonce, session, request };
}
