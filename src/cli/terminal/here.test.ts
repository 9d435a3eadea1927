import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { fromTerminal, signalsHere } from './here.ts';

const quiet = { write: () => undefined };
const context = { process: { stdout: quiet, stderr: quiet }, cwd: '/here' };

test.each([
  ['app', '/here/app'],
  ['.', '/here'],
  ['../app', '/app'],
  ['/srv/app', '/srv/app'],
  ['~/app', `${homedir()}/app`],
  ['~', homedir()],
  ['~other', '/here/~other'],
  ['', ''],
  ['file:///srv/app', 'file:///srv/app'],
  ['http://example.com/path', 'http://example.com/path'],
])('expands %j to %j', (path, expected) => {
  expect(fromTerminal(context, path)).toBe(expected);
});

const stream = { write: () => {} };
const contextSignalsHere: CliContext = {
  process: { stdout: stream, stderr: stream, env: { PWD: '/here', ROOTWARD_PROJECT: 'app' } },
  cwd: '/here',
};

test('reads the current directory and the environment', () => {
  expect(signalsHere(contextSignalsHere)).toEqual({
    cwd: '/here',
    environment: contextSignalsHere.process.env,
    pinned: '/here/app',
  });
});

test('a flag wins over its environment variable', () => {
  expect(signalsHere(contextSignalsHere, { project: '/other', client: 'x' })).toMatchObject({
    pinned: '/other',
    client: { name: 'x' },
  });
});

test('another start directory replaces that of the shell', () => {
  expect(signalsHere(contextSignalsHere, { cwd: '../there' })).toMatchObject({
    cwd: '/there',
    environment: { PWD: '/there' },
  });
});

test('keeps a placeholder, to be refused by its name', () => {
  expect(signalsHere(contextSignalsHere, { project: '${workspaceFolder}' }).pinned).toBe(
    '${workspaceFolder}',
  );
});

test('ignores an empty variable, and refuses an empty flag', () => {
  const { process, cwd } = contextSignalsHere;
  expect(signalsHere({ process: { ...process, env: { ROOTWARD_PROJECT: '' } }, cwd })).not.toHaveProperty(
    'pinned',
  );
  expect(signalsHere(contextSignalsHere, { project: '' }).pinned).toBe('');
});
