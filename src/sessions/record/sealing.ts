import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Envelope, StreamStart } from './session-store.ts';

/** A digest that only holders of the secret can make: letters, digits, `-` and `_`; 43 characters by default. */
export interface KeyedDigest {
  /** Characters in one digest. */
  readonly length: number;
  /** Whether there are several secrets, so that a valid digest may come from an older one. */
  readonly changing: boolean;
  /** Covers all parts and their borders: text cannot move from one part into the next. */
  of(...parts: readonly string[]): string;
  /** Whether it was made with one of the secrets. */
  matches(digest: string, ...parts: readonly string[]): boolean;
}

/**
 * Makes digests with the first secret and accepts those of every secret. Each purpose has its own keys, so a
 * digest made for one purpose is invalid for another.
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
  /** Id of the node that sent it. */
  readonly from: string;
  readonly envelope: Envelope;
}

/** Milliseconds for which an envelope is accepted. Generous, because clocks of machines differ. */
const lifetime = 600_000;

/** Seals an envelope for one channel; the digest covers every field and the channel. */
export function sealEnvelope(digest: KeyedDigest, channel: string, { from, envelope }: SentEnvelope): string {
  const { session, principal, message } = envelope;
  const body = JSON.stringify([from, Date.now(), session, principal, message]);
  return `${digest.of(channel, body)}.${body}`;
}

/** Opens a sealed envelope; `undefined` unless one of our nodes sealed it for this channel recently. */
export function openEnvelope(digest: KeyedDigest, channel: string, text: string): SentEnvelope | undefined {
  const dot = text.indexOf('.');
  const body = text.slice(dot + 1);
  if (dot === -1 || !digest.matches(text.slice(0, dot), channel, body)) return undefined;
  const [from, at, ...rest] = JSON.parse(body) as [string, number, string, string, unknown];
  if (Math.abs(Date.now() - at) > lifetime) return undefined;
  const [session, principal, message] = rest;
  return { from, envelope: { session, principal, message } };
}

/**
 * The facts inside a stream's name. They are sealed into it, so that opening a stream writes nothing to the store.
 */
export interface StreamName extends StreamStart {
  readonly node: string;
  /** Tells streams of one node apart. */
  readonly nonce: string;
}

/** Characters of a digest, and the longest name that is parsed. */
const digestLength = 43;
const longest = 2_048;

export function nameStream(digest: KeyedDigest, node: string, { session, request }: StreamStart): string {
  const nonce = randomBytes(12).toString('base64url');
  const body = Buffer.from(JSON.stringify([node, nonce, session, request])).toString('base64url');
  return `${body}${digest.of(body)}`;
}

/** Reads the name of a stream; `undefined` unless one of our nodes made it. */
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
