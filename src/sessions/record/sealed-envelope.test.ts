import { randomBytes } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { createKeyedDigest } from './sealing.ts';
import { openEnvelope, sealEnvelope } from './sealed-envelope.ts';

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

test('an envelope that somebody kept is none any more after a while', () => {
  vi.useFakeTimers();
  const text = sealEnvelope(digest, 'c', sent);
  vi.advanceTimersByTime(500_000);
  expect(openEnvelope(digest, 'c', text)).toEqual(sent);
  vi.advanceTimersByTime(200_000);
  expect(openEnvelope(digest, 'c', text)).toBeUndefined();
});

test.each(['', '.', 'x', '.[]', '["n","s","p",{}]'])('%j is no envelope', (text) => {
  expect(openEnvelope(digest, 'c', text)).toBeUndefined();
});
