import { expect, test } from 'vitest';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { signalsHere } from './signals-here.ts';

const stream = { write: () => {} };
const context: CliContext = {
  process: { stdout: stream, stderr: stream, env: { PWD: '/here', ROOTWARD_PROJECT: 'app' } },
  cwd: '/here',
};

test('the terminal tells its directory and its environment', () => {
  expect(signalsHere(context)).toEqual({
    cwd: '/here',
    environment: context.process.env,
    pinned: '/here/app',
  });
});

test('a flag counts more than its twin in the environment', () => {
  expect(signalsHere(context, { project: '/other', client: 'x' })).toMatchObject({
    pinned: '/other',
    client: { name: 'x' },
  });
});

test('another start replaces what the shell said', () => {
  expect(signalsHere(context, { cwd: '../there' })).toMatchObject({
    cwd: '/there',
    environment: { PWD: '/there' },
  });
});

test('a placeholder stays, to be refused by its name', () => {
  expect(signalsHere(context, { project: '${workspaceFolder}' }).pinned).toBe('${workspaceFolder}');
});

test('an empty variable pins nothing, and an empty flag is no directory', () => {
  const { process, cwd } = context;
  expect(signalsHere({ process: { ...process, env: { ROOTWARD_PROJECT: '' } }, cwd })).not.toHaveProperty(
    'pinned',
  );
  expect(signalsHere(context, { project: '' }).pinned).toBe('');
});
