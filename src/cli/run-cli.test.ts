import { describe, expect, test } from 'vitest';
import { runInMemory } from '../../test/support/processes/run-in-memory.ts';

const run = (cwd: string, ...argv: readonly string[]) => runInMemory(cwd, argv);

describe('rootward', () => {
  test('without a command prints the help', async () => {
    const { stdout, code } = await run('/');
    expect(stdout).toContain('check');
    expect(code).toBe(0);
  });

  test('refuses an unknown command, and suggests a similar one', async () => {
    expect(await run('/', 'chek')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('check'),
    });
    expect(await run('/', 'check', 'read', 'x', '--rot', '.')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--root'),
    });
  });

  test('prints its version', async () => {
    expect((await run('/', '--version')).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });
});
