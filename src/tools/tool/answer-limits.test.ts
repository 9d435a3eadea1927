import { expect, test } from 'vitest';
import { limits } from './answer-limits.ts';

test('every limit is a positive whole number', () => {
  const odd = Object.entries(limits).filter(([, value]) => !Number.isSafeInteger(value) || value <= 0);
  expect(odd).toEqual([]);
});

test('what is sent whole fits into one message, and that into what clients take', () => {
  const encoded = (bytes: number): number => Math.ceil(bytes / 3) * 4;
  expect(encoded(limits.media) * 2).toBeLessThan(limits.message);
  expect(encoded(limits.mediaOnce)).toBeLessThan(limits.message);
  expect(limits.answer * 2).toBeLessThan(limits.message);
  expect(limits.text * 2).toBeLessThan(limits.message);
  expect(limits.message).toBeLessThan(10 * 1024 * 1024);
});
