import { randomBytes } from 'node:crypto';
import type { KeyedDigest } from './sealing.ts';
import type { StreamStart } from './session-store.ts';

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
