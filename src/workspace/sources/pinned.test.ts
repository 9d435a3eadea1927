import { expect, test } from 'vitest';
import { pinned } from './pinned.ts';

test('offers what the operator pinned', () => {
  expect(pinned.offer({ pinned: '/p' }, undefined)).toEqual({ places: [{ text: '/p' }] });
  expect(pinned.offer({}, undefined)).toHaveProperty('none');
});
