import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { findShell, shellOptions } from './serve-shell.ts';

// Behaviour in a sandbox is tested in test/e2e/serve/shell.test.ts.
test('converts the settings of the operator to the units of the tool', () => {
  expect(
    shellOptions({
      shellNetwork: true,
      shellEnv: ['A'],
      shellRead: ['/opt/sdk'],
      shellTimeout: 2,
      shellMemory: 3,
      shellProcesses: 4,
      shellOutput: 5,
      shellTmp: 6,
      shellConcurrent: 7,
    }),
  ).toEqual({
    allowNetwork: true,
    passEnvironment: ['A'],
    readable: ['/opt/sdk'],
    limits: {
      milliseconds: 2_000,
      memory: 3 * 1_048_576,
      processes: 4,
      output: 5 * 1_048_576,
      temporary: 6 * 1_048_576,
      concurrent: 7,
    },
  });
  expect(shellOptions({})).toEqual({ limits: {} });
});

test('refuses a directory that cannot be shown', async () => {
  using tree = tempTree();
  const quiet = { write: () => undefined };
  const context = { cwd: '/', process: { stdout: quiet, stderr: quiet, env: {} } };
  const shell = { shellRead: [tree.at('nowhere')] };
  await expect(
    findShell(context, { allowUnconfinedShell: false, ownFiles: [], directories: undefined, shell }),
  ).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    data: { where: '--shell-read' },
  });
});
