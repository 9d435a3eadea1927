import { expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import { remembered } from './remembered.ts';

const before = parseRoots([{ uri: 'file:///a' }], { platform: 'posix' }).roots;

test('offers the last good list', () => {
  expect(remembered.offer({ remembered: before }, undefined)).toEqual({
    places: [{ text: '/a', name: 'a' }],
  });
  expect(remembered.offer({ remembered: [] }, undefined)).toHaveProperty('none');
  expect(remembered.offer({}, undefined)).toHaveProperty('none');
});

test('forgets it when the client took it back or changed it', () => {
  expect(
    remembered.offer({ remembered: before, roots: { state: 'empty', revoked: true } }, undefined),
  ).toHaveProperty('none');
  const failed = { state: 'failed', afterChange: true, reason: 'x' } as const;
  expect(remembered.offer({ remembered: before, roots: failed }, undefined)).toHaveProperty('none');
  expect(
    remembered.offer({ remembered: before, roots: { ...failed, afterChange: false } }, undefined),
  ).toHaveProperty('places');
});
