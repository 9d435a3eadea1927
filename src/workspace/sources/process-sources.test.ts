import { expect, test } from 'vitest';
import { findProfile } from './profile.ts';
import { allProfiles } from '../profiles/all-profiles.ts';
import { walkUp } from './process-sources.ts';

test('begins at the current directory', () => {
  expect(walkUp.offer({ cwd: '/p' }, undefined)).toEqual({ places: [{ text: '/p', via: 'cwd' }] });
  expect(walkUp.offer({}, undefined)).toHaveProperty('none');
});

test('begins where npm was called, if npm started it', () => {
  const environment = { INIT_CWD: '/called', npm_command: 'exec' };
  expect(walkUp.offer({ cwd: '/p', environment }, undefined)).toEqual({
    places: [{ text: '/called', via: 'INIT_CWD' }],
  });
  expect(walkUp.offer({ cwd: '/p', environment: { INIT_CWD: '/stale' } }, undefined)).toEqual({
    places: [{ text: '/p', via: 'cwd' }],
  });
});

test('does not begin where a client starts everything', () => {
  expect(walkUp.offer({ cwd: '/p' }, findProfile(allProfiles, 'claude-ai'))).toHaveProperty('none');
});
