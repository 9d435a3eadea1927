import { expect, test } from 'vitest';
import { runInMemory } from '../../../test/support/processes/run-in-memory.ts';

test('--print-config prints the entry that starts the same command behind the gateway', async () => {
  const line = [
    'wrap',
    '--print-config',
    '--root',
    '/a',
    '--root',
    'b',
    '--read-only',
    '--deny-tool',
    'x*',
    '--env-root',
    'P',
    '--',
    'npx',
    '-y',
    'srv',
    '--flag',
  ];
  const { stdout, code } = await runInMemory('/', line);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    command: 'rootward',
    args: [
      'wrap',
      '--root',
      '/a',
      '--root',
      'b',
      '--deny-tool',
      'x*',
      '--read-only',
      '--env-root',
      'P',
      '--',
      'npx',
      '-y',
      'srv',
      '--flag',
    ],
  });
});
