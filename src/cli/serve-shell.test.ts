import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { findShell, shellOptions } from './serve-shell.ts';

// What of it holds in a sandbox is in test/serve/shell.test.ts.
test('what the operator says is what the tool is told, in its units', () => {
  expect(
    shellOptions({
      network: true,
      env: ['A'],
      read: ['/opt/sdk'],
      timeout: 2,
      memory: 3,
      processes: 4,
      output: 5,
      tmp: 6,
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
    },
  });
  expect(shellOptions({})).toEqual({ limits: {} });
});

test('a directory that cannot be shown is refused', async () => {
  using tree = tempTree();
  const quiet = { write: () => undefined };
  const context = { cwd: '/', process: { stdout: quiet, stderr: quiet, env: {} } };
  const shell = { read: [tree.at('nowhere')] };
  await expect(findShell(context, { allowUnconfinedShell: false, shell })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    data: { where: '--shell-read' },
  });
});
