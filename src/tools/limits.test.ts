import { expect, test } from 'vitest';
import { limits } from './limits.ts';

test('every limit is a positive whole number', () => {
  const odd = Object.entries(limits).filter(([, value]) => !Number.isSafeInteger(value) || value <= 0);
  expect(odd).toEqual([]);
});

test('what is sent whole fits into one message', () => {
  const base64 = (limits.media * 4) / 3;
  expect(Math.max(base64, limits.text)).toBeLessThan(32 * 1024 * 1024);
});
