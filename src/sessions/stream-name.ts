import { randomBytes } from 'node:crypto';
import { parseEventId } from './event-log.ts';
import type { KeyedDigest } from './keyed-digest.ts';
import type { StreamStart } from './session-store.ts';

/** What the name of a stream says by itself, so that nothing has to be written when one begins. */
export interface StreamName extends StreamStart {
  readonly node: string;
  /** Tells streams of one node apart. */
  readonly nonce: string;
}

/** Characters of a digest. */
const digestLength = 43;

export function nameStream(digest: KeyedDigest, node: string, { session, request }: StreamStart): string {
  const nonce = randomBytes(12).toString('base64url');
  const body = Buffer.from(JSON.stringify([node, nonce, session, request])).toString('base64url');
  return `${body}${digest.of(body)}`;
}

/** Stream and place of an event that one of our nodes has named. */
export function readEventName(
  digest: KeyedDigest,
  event: string,
): { readonly stream: StreamName; readonly place: number } | undefined {
  const parsed = parseEventId(event);
  if (parsed === undefined) return undefined;
  const body = parsed.stream.slice(0, -digestLength);
  if (!digest.matches(parsed.stream.slice(-digestLength), body)) return undefined;
  const [node, nonce, session, request] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
    string,
    string,
    string,
    string | number,
  ];
  return { stream: { node, nonce, session, request }, place: parsed.place };
}
