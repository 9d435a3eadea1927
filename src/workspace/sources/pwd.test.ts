import { expect, test } from 'vitest';
import { pwd } from './pwd.ts';

test('offers what the shell said', () => {
  expect(pwd.offer({ environment: { PWD: '/p' } }, undefined)).toEqual({
    places: [{ text: '/p', via: 'PWD' }],
  });
  expect(pwd.offer({ environment: { PWD: '' } }, undefined)).toHaveProperty('none');
  expect(pwd.offer({}, undefined)).toHaveProperty('none');
});
