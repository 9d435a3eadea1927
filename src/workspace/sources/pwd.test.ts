import { expect, test } from 'vitest';
import { pwd } from './pwd.ts';

test('offers what the shell said', () => {
  expect(pwd.offer({ environment: { PWD: '/p' } }, undefined)).toEqual({
    places: [{ text: '/p', via: 'PWD' }],
  });
  expect(pwd.offer({ environment: { PWD: '' } }, undefined)).toHaveProperty('none');
  expect(pwd.offer({}, undefined)).toHaveProperty('none');
  expect(pwd.offer({ environment: { PWD: 'file:///p' } }, undefined)).toHaveProperty('none');
});

test('says that it is stale where the process is somewhere else', () => {
  const offer = pwd.offer({ environment: { PWD: '/p' }, cwd: '/' }, undefined);
  expect(offer).toEqual({
    places: [{ text: '/p', via: 'PWD', note: 'it is where the launcher was, not the process' }],
  });
  expect(pwd.offer({ environment: { PWD: '/p' }, cwd: '/p' }, undefined)).toEqual({
    places: [{ text: '/p', via: 'PWD' }],
  });
});
