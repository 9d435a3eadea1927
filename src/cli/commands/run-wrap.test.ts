import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
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

test.each(['/a', 'a=b', '/a=/b/..'])('--map %s is refused as wrong usage', async (map) => {
  using home = tempTree();
  const env = { HOME: home.path, ROOTWARD_HOME: home.path };
  expect(await runInMemory('/', ['wrap', '--map', map, '--', 'x'], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--map'),
  });
});
