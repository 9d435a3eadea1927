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
