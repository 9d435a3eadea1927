import { expect, test } from 'vitest';
import { argument } from './operator-sources.ts';

test('offers what the call names', () => {
  expect(argument.offer({ argument: '/p' }, undefined)).toEqual({ places: [{ text: '/p' }] });
  expect(argument.offer({}, undefined)).toEqual({ none: 'the call names no directory' });
});

test('is bounded, because a model chose it', () => {
  expect(argument.bounded).toBe(true);
});
