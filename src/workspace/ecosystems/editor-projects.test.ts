import { expect, test } from 'vitest';
import { toFileUri } from '../../path/file-uri.ts';
import { readEditorMembers } from './editor-projects.ts';

const directory = process.cwd();

test.each([
  [{ path: 'app' }, ['app']],
  [{ path: './app', name: 'The app' }, ['app']],
  [{ path: `${directory}/app` }, ['app']],
  [{ uri: `${toFileUri(directory)}/app` }, ['app']],
  [{ uri: 'vscode-remote://ssh-remote+host/home/me/app' }, []],
  [{ path: '/somewhere/else' }, []],
  [{ path: 1 }, []],
  [{}, []],
  ['app', []],
])('the folder %j is the member %j', (folder, expected) => {
  const rules = readEditorMembers({ folders: [folder] }, directory);
  expect(rules.map(({ pattern }) => pattern)).toEqual(expected);
  expect(rules.every(({ literal }) => literal === true)).toBe(true);
});

test.each([{}, { folders: 'app' }, { folders: { path: 'app' } }, [], null])(
  '%j has no folders',
  (workspace) => {
    expect(readEditorMembers(workspace, directory)).toEqual([]);
  },
);
