import { expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import { allProfiles } from '../profiles/all-profiles.ts';
import { processSources } from './process-sources.ts';
import { findProfile } from './profile.ts';

const { operator, 'walk-up': walkUp, pwd } = processSources;

test('offers the directories that the operator named', () => {
  const ceiling = parseRoots([{ uri: 'file:///a' }], { platform: 'posix' }).roots;
  expect(operator.offer({ ceiling }, undefined)).toEqual({ places: [{ text: '/a', name: 'a' }] });
  expect(operator.offer({}, undefined)).toHaveProperty('none');
});

test('starts at the current directory', () => {
  expect(walkUp.offer({ cwd: '/p' }, undefined)).toEqual({ places: [{ text: '/p', via: 'cwd' }] });
  expect(walkUp.offer({}, undefined)).toHaveProperty('none');
});

test('starts where npm was called, if npm started it', () => {
  const environment = { INIT_CWD: '/called', npm_command: 'exec' };
  expect(walkUp.offer({ cwd: '/p', environment }, undefined)).toEqual({
    places: [{ text: '/called', via: 'INIT_CWD' }],
  });
  expect(walkUp.offer({ cwd: '/p', environment: { INIT_CWD: '/stale' } }, undefined)).toEqual({
    places: [{ text: '/p', via: 'cwd' }],
  });
});

test('does not start where a client starts all its servers', () => {
  expect(walkUp.offer({ cwd: '/p' }, findProfile(allProfiles, 'claude-ai'))).toHaveProperty('none');
});

test('offers the PWD of the shell', () => {
  expect(pwd.offer({ environment: { PWD: '/p' } }, undefined)).toEqual({
    places: [{ text: '/p', via: 'PWD' }],
  });
  expect(pwd.offer({ environment: { PWD: '' } }, undefined)).toHaveProperty('none');
  expect(pwd.offer({}, undefined)).toHaveProperty('none');
  expect(pwd.offer({ environment: { PWD: 'file:///p' } }, undefined)).toHaveProperty('none');
});

test('reports it as stale if the process is elsewhere', () => {
  const offer = pwd.offer({ environment: { PWD: '/p' }, cwd: '/' }, undefined);
  expect(offer).toEqual({
    places: [{ text: '/p', via: 'PWD', note: 'it is where the launcher was, not the process' }],
  });
  expect(pwd.offer({ environment: { PWD: '/p' }, cwd: '/p' }, undefined)).toEqual({
    places: [{ text: '/p', via: 'PWD' }],
  });
});
