import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { RootwardError } from '../../errors.ts';

/** A secret for sealing request state. */
export interface SealingKey {
  /** Part of every sealed state: letters, digits, `-` and `_`. */
  readonly id: string;
  /** At least 32 bytes. */
  readonly secret: Uint8Array;
}

export interface RequestStateOptions {
  /** The first key seals, all of them open: to rotate, put a new key in front and keep the old one for a while. */
  readonly keys: readonly SealingKey[];
  /** How long a state is valid, in milliseconds. */
  readonly lifetime?: number;
  /** Milliseconds since 1970: wall-clock time, because other machines read it too. */
  readonly now?: () => number;
}

/**
 * Seals state that travels through a client between two rounds of a call. The client can read it, but cannot change it
 * or use it with another binding.
 *
 * Not guaranteed: secrecy, and protection against sending the same state twice.
 */
export interface RequestStateCodec {
  /** `binding` names the use that the state is valid for: the principal, the tool. */
  seal(payload: unknown, binding?: string): string;
  /** Returns the payload; throws `INVALID_REQUEST_STATE`. */
  open(text: string, binding?: string): unknown;
}

/** Maximum length of a state, in characters. */
const longest = 64 * 1024;
const pattern = /^v1\.([\w-]{1,32})\.([\w-]+)\.([\w-]{43})$/;

/**
 * Seals state with HMAC-SHA-256, so that any machine with the same keys can open it.
 *
 * @example
 * ```ts
 * const codec = createRequestStateCodec({ keys: [newSealingKey()] });
 * const text = codec.seal({ step: 2 }, 'me');
 * codec.open(text, 'me') // → { step: 2 }
 * codec.open(text, 'another') // throws INVALID_REQUEST_STATE
 * codec.open(text.replace('v1', 'v2'), 'me') // throws INVALID_REQUEST_STATE
 * ```
 */
export function createRequestStateCodec({
  keys,
  lifetime = 600_000,
  now = Date.now,
}: RequestStateOptions): RequestStateCodec {
  const [first] = keys;
  if (first === undefined || keys.some(isWeak))
    throw invalid('a key has fewer than 32 bytes, or no usable id');
  return {
    seal(payload, binding = '') {
      const body = JSON.stringify({ until: now() + lifetime, payload });
      const head = `v1.${first.id}.${Buffer.from(body).toString('base64url')}`;
      return `${head}.${macOf(first, head, binding)}`;
    },
    open(text, binding = '') {
      const [, id, body, mac] = (text.length <= longest && pattern.exec(text)) || [];
      const key = keys.find((key) => key.id === id);
      if (key === undefined || body === undefined || mac === undefined)
        throw invalid('it is not one of ours');
      const expected = macOf(key, text.slice(0, text.lastIndexOf('.')), binding);
      if (!timingSafeEqual(Buffer.from(expected), Buffer.from(mac))) throw invalid('it is not one of ours');
      const { until, payload } = JSON.parse(Buffer.from(body, 'base64url').toString()) as SealedState;
      if (until <= now()) throw invalid('it has expired');
      return payload;
    },
  };
}

/** Creates a key known only to this process. */
export function newSealingKey(): SealingKey {
  return { id: randomBytes(6).toString('base64url'), secret: randomBytes(32) };
}

interface SealedState {
  readonly until: number;
  readonly payload: unknown;
}

function macOf({ secret }: SealingKey, head: string, binding: string): string {
  // The head contains no NUL, so the boundary between head and binding is unambiguous.
  return createHmac('sha256', secret).update(head).update('\0').update(binding).digest('base64url');
}

function isWeak({ id, secret }: SealingKey): boolean {
  return secret.length < 32 || !/^[\w-]{1,32}$/.test(id);
}

function invalid(reason: string): RootwardError<'INVALID_REQUEST_STATE'> {
  return new RootwardError('INVALID_REQUEST_STATE', { reason });
}
