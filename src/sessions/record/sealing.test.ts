import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKeyedDigest } from './sealing.ts';

const [old, fresh] = [randomBytes(32), randomBytes(32)];

test('a digest is that of its parts, its purpose and its secret', () => {
  const digest = createKeyedDigest([old], 'a');
  const text = digest.of('x', 'y');
  expect(text).toMatch(/^[\w-]{43}$/);
  expect(digest.matches(text, 'x', 'y')).toBe(true);
  for (const parts of [['xy'], ['xy', ''], ['x', 'y', ''], ['y', 'x']]) {
    expect(digest.matches(text, ...parts)).toBe(false);
  }
  expect(createKeyedDigest([old], 'b').matches(text, 'x', 'y')).toBe(false);
  expect(createKeyedDigest([fresh], 'a').matches(text, 'x', 'y')).toBe(false);
});

test('the first secret makes digests, and all of them count', () => {
  const both = createKeyedDigest([fresh, old], 'a');
  expect(both.matches(createKeyedDigest([old], 'a').of('x'), 'x')).toBe(true);
  expect(both.of('x')).toBe(createKeyedDigest([fresh], 'a').of('x'));
});

test.each(['', 'x', 'ä', 'A'.repeat(43)])('%j is no digest', (text) => {
  expect(createKeyedDigest([old], 'a').matches(text, 'x')).toBe(false);
});
