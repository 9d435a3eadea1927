import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** A digest that only the holders of a secret can make: 43 letters, digits, `-` and `_`. */
export interface KeyedDigest {
  /** Over all of the parts; none can be moved into another. */
  of(...parts: readonly string[]): string;
  /** Whether it was made with one of the secrets. */
  matches(digest: string, ...parts: readonly string[]): boolean;
}

/**
 * The first secret makes digests, all of them are accepted. Each purpose has keys of its own, so that what is
 * made for one is worth nothing for another.
 */
export function createKeyedDigest(secrets: readonly Uint8Array[], purpose: string): KeyedDigest {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, 'rootward', purpose, 32)));
  const [first = Buffer.alloc(0)] = keys;
  return {
    of: (...parts) => digestOf(first, parts).toString('base64url'),
    matches(given, ...parts) {
      const bytes = Buffer.from(given, 'base64url');
      return keys.some((key) => {
        const expected = digestOf(key, parts);
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
