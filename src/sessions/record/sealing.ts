import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

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
