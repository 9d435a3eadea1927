import { expect, test } from 'vitest';
import { findProfile } from './profile.ts';
import { allProfiles } from '../profiles/all-profiles.ts';
import { clientEnv } from './client-env.ts';

const cursor = findProfile(allProfiles, 'cursor-vscode');

test.each([
  ['/a', ['/a']],
  ['/a,/b', ['/a', '/b']],
  ['["/a","/b, c"]', ['/a', '/b, c']],
])('reads the list %s', (value, texts) => {
  expect(clientEnv.offer({ environment: { WORKSPACE_FOLDER_PATHS: value } }, cursor)).toEqual({
    places: texts.map((text) => ({ text, via: 'WORKSPACE_FOLDER_PATHS', trust: 'weak' })),
  });
});

test('does not read a variable that another client left behind', () => {
  const environment = { CLAUDE_PROJECT_DIR: '/elsewhere' };
  expect(clientEnv.offer({ environment }, cursor)).toEqual({ none: 'WORKSPACE_FOLDER_PATHS not set' });
});
