import { randomBytes } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { createKeyedDigest, nameStream, openEnvelope, readStreamName, sealEnvelope } from './sealing.ts';

const [old, fresh] = [randomBytes(32), randomBytes(32)];

test('a digest depends on its parts, its purpose and its secret', () => {
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

test('the first secret makes digests, and all are accepted', () => {
  const both = createKeyedDigest([fresh, old], 'a');
  expect(both.matches(createKeyedDigest([old], 'a').of('x'), 'x')).toBe(true);
  expect(both.of('x')).toBe(createKeyedDigest([fresh], 'a').of('x'));
});

test.each(['', 'x', 'ä', 'A'.repeat(43)])('%j is not a digest', (text) => {
  expect(createKeyedDigest([old], 'a').matches(text, 'x')).toBe(false);
});

const digest = createKeyedDigest([randomBytes(32)], 'envelopes');
const sent = { from: 'n', envelope: { session: 's', principal: 'p', message: { id: 1, text: 'ä.b' } } };

test('an envelope arrives as it was sent', () => {
  expect(openEnvelope(digest, 'c', sealEnvelope(digest, 'c', sent))).toEqual(sent);
});

test('no field of it can be changed, nor the channel', () => {
  const text = sealEnvelope(digest, 'c', sent);
  for (const [before, after] of [
    ['"n"', '"m"'],
    ['"s"', '"t"'],
    ['"p"', '"q"'],
    ['"id":1', '"id":2'],
  ] as const) {
    expect(text).toContain(before);
    expect(openEnvelope(digest, 'c', text.replace(before, after))).toBeUndefined();
  }
  expect(openEnvelope(digest, 'd', text)).toBeUndefined();
});

afterEach(() => void vi.useRealTimers());

test('an envelope expires', () => {
  vi.useFakeTimers();
  const text = sealEnvelope(digest, 'c', sent);
  vi.advanceTimersByTime(500_000);
  expect(openEnvelope(digest, 'c', text)).toEqual(sent);
  vi.advanceTimersByTime(200_000);
  expect(openEnvelope(digest, 'c', text)).toBeUndefined();
});

test.each(['', '.', 'x', '.[]', '["n","s","p",{}]'])('%j is not an envelope', (text) => {
  expect(openEnvelope(digest, 'c', text)).toBeUndefined();
});

const digestStreamName = createKeyedDigest([randomBytes(32)], 'streams');

test.each([1, 0, 'é', '1', '"]'])('a name for request %j can be read back', (request) => {
  const name = nameStream(digestStreamName, 'node', { session: 's', request });
  expect(readStreamName(digestStreamName, name)).toMatchObject({ node: 'node', session: 's', request });
  expect(nameStream(digestStreamName, 'node', { session: 's', request })).not.toBe(name);
});

test('a forged or changed name is refused', () => {
  const name = nameStream(digestStreamName, 'node', { session: 's', request: 1 });
  const stranger = createKeyedDigest([randomBytes(32)], 'streams');
  const changed = `${Buffer.from('["node"').toString('base64url')}${name.slice(9)}`;
  for (const text of ['', 'x', changed, nameStream(stranger, 'node', { session: 's', request: 1 })]) {
    expect(readStreamName(digestStreamName, text)).toBeUndefined();
  }
});

test('a name that is too long is refused', () => {
  const name = nameStream(digestStreamName, 'node', { session: 's', request: 'x'.repeat(2_000) });
  expect(readStreamName(digestStreamName, name)).toBeUndefined();
});
