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
])('%j is %j', (path, expected) => {
  expect(fromTerminal(context, path)).toBe(expected);
});

const stream = { write: () => {} };
const contextSignalsHere: CliContext = {
  process: { stdout: stream, stderr: stream, env: { PWD: '/here', ROOTWARD_PROJECT: 'app' } },
  cwd: '/here',
};

test('the terminal tells its directory and its environment', () => {
  expect(signalsHere(contextSignalsHere)).toEqual({
    cwd: '/here',
    environment: contextSignalsHere.process.env,
    pinned: '/here/app',
  });
});

test('a flag counts more than its twin in the environment', () => {
  expect(signalsHere(contextSignalsHere, { project: '/other', client: 'x' })).toMatchObject({
    pinned: '/other',
    client: { name: 'x' },
  });
});

test('another start replaces what the shell said', () => {
  expect(signalsHere(contextSignalsHere, { cwd: '../there' })).toMatchObject({
    cwd: '/there',
    environment: { PWD: '/there' },
  });
});

test('a placeholder stays, to be refused by its name', () => {
  expect(signalsHere(contextSignalsHere, { project: '${workspaceFolder}' }).pinned).toBe(
    '${workspaceFolder}',
  );
});

test('an empty variable pins nothing, and an empty flag is no directory', () => {
  const { process, cwd } = contextSignalsHere;
  expect(signalsHere({ process: { ...process, env: { ROOTWARD_PROJECT: '' } }, cwd })).not.toHaveProperty(
    'pinned',
  );
  expect(signalsHere(contextSignalsHere, { project: '' }).pinned).toBe('');
});
