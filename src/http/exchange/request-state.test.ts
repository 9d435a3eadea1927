import { describe, expect, test } from 'vitest';
import { createRequestStateCodec, newSealingKey } from './request-state.ts';

const key = newSealingKey();

describe('a sealed state', () => {
  test.each([{ a: [1, 'ä', null] }, 'text', 5, null])('gives back %j', (payload) => {
    const codec = createRequestStateCodec({ keys: [key] });
    expect(codec.open(codec.seal(payload, 'me'), 'me')).toEqual(payload);
  });

  test('opens only with the binding it was sealed with', () => {
    const codec = createRequestStateCodec({ keys: [key] });
    const text = codec.seal({}, 'me');
    for (const binding of ['', 'm', 'me ', 'you', 'me\0'])
      expect(() => codec.open(text, binding)).toThrow('not one of ours');
    expect(() => codec.open(text)).toThrow('not one of ours');
  });

  test('expires', () => {
    let time = 1_000;
    const codec = createRequestStateCodec({ keys: [key], lifetime: 100, now: () => time });
    const text = codec.seal(1);
    time = 1_099;
    expect(codec.open(text)).toBe(1);
    time = 1_100;
    expect(() => codec.open(text)).toThrow('it has expired');
  });

  test('is refused with any single character changed', () => {
    const codec = createRequestStateCodec({ keys: [key] });
    const text = codec.seal({ step: 1 });
    for (let at = 0; at < text.length; at += 1) {
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
      expect(() => codec.open(changed)).toThrow();
    }
  });

  test.each(['', 'v1', 'v1.a.b.c', '....', 'x'.repeat(100_000), `v1.${key.id}..${'A'.repeat(43)}`])(
    'rejects %.40s',
    (text) => {
      const codec = createRequestStateCodec({ keys: [key] });
      expect(() => codec.open(text)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST_STATE' }));
    },
  );

  test('survives a key rotation while the old key is kept', () => {
    const fresh = newSealingKey();
    const before = createRequestStateCodec({ keys: [key] });
    const during = createRequestStateCodec({ keys: [fresh, key] });
    const after = createRequestStateCodec({ keys: [fresh] });
    const old = before.seal(1);
    expect(during.open(old)).toBe(1);
    expect(() => after.open(old)).toThrow('not one of ours');
    expect(after.open(during.seal(2))).toBe(2);
  });

  test('of another key with the same id is refused', () => {
    const other = createRequestStateCodec({ keys: [{ ...newSealingKey(), id: key.id }] });
    expect(() => other.open(createRequestStateCodec({ keys: [key] }).seal(1))).toThrow('not one of ours');
  });
});

test.each([
  ['no key', []],
  ['a short key', [{ id: 'a', secret: new Uint8Array(31) }]],
  ['a key without a usable id', [{ id: 'a.b', secret: new Uint8Array(32) }]],
  ['a short key behind a good one', [key, { id: 'a', secret: new Uint8Array(1) }]],
])('refuses to seal with %s', (_what, keys) => {
  expect(() => createRequestStateCodec({ keys })).toThrow('fewer than 32 bytes');
});
