import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { absolutePaths } from './absolute-paths.ts';

test('paths are from the directory on, and everything else is as it was', () => {
  const said = { logFile: 'a.log', shellRead: ['sdk', '/opt'], server: 'files', workers: 2, debug: true };
  expect(absolutePaths(said, '/here')).toEqual({
    ...said,
    logFile: '/here/a.log',
    shellRead: ['/here/sdk', '/opt'],
  });
});

test('~ is the home of the person', () => {
  expect(absolutePaths({ tokenFile: '~/token' }, '/here')).toEqual({ tokenFile: `${homedir()}/token` });
});

test('a file URI is a path, except for what is granted: that is read as one later', () => {
  const uri = 'file:///etc/my%20files.jsonc';
  expect(absolutePaths({ config: uri, project: uri, directories: [uri] }, '/here')).toEqual({
    config: '/etc/my files.jsonc',
    project: uri,
    directories: [uri],
  });
});

test('a URI that names no path is refused', () => {
  expect(() => absolutePaths({ config: 'file://elsewhere/a.jsonc' }, '/here')).toThrow(
    expect.objectContaining({ code: 'INVALID_URI' }) as Error,
  );
});
