import { expect, test } from 'vitest';
import { switched } from './switched.ts';

test('offers what was switched to, within bounds', () => {
  expect(switched.offer({ switched: '/p' }, undefined)).toEqual({ places: [{ text: '/p' }] });
  expect(switched.offer({}, undefined)).toHaveProperty('none');
  expect(switched.bounded).toBe(true);
});
