import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** A digest that only the holders of a secret can make. */
export interface KeyedDigest {
  /** Over all of the parts; none can be moved into another. */
  of(...parts: readonly string[]): string;
  matches(digest: string, ...parts: readonly string[]): boolean;
}

/** Each purpose has a key of its own, so that what is made for one is worth nothing for another. */
export function createKeyedDigest(secret: Uint8Array, purpose: string): KeyedDigest {
  const key = Buffer.from(hkdfSync('sha256', secret, 'rootward', purpose, 32));
  const digest = (parts: readonly string[]): Buffer => {
    const hmac = createHmac('sha256', key);
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest();
  };
  return {
    of: (...parts) => digest(parts).toString('base64url'),
    matches(given, ...parts) {
      const expected = digest(parts);
      const bytes = Buffer.from(given, 'base64url');
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    },
  };
}
