import { expect, test } from 'vitest';
import { lower } from './trust.ts';

test('the lower trust counts', () => {
  expect(lower('certain', 'weak')).toBe('weak');
  expect(lower('weak', 'likely')).toBe('weak');
  expect(lower('certain', 'likely')).toBe('likely');
  expect(lower('certain', 'certain')).toBe('certain');
});
