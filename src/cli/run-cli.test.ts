import { describe, expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { runCli } from './run-cli.ts';

async function run(cwd: string, ...argv: readonly string[]) {
  const output = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({ write: (text: string) => void (output[name] += text) });
  const process = { stdout: stream('stdout'), stderr: stream('stderr'), env: {} };
  const code = await runCli(argv, { process, cwd });
  return { ...output, code };
}

describe('rootward', () => {
  test('without a command tells what there is', async () => {
    const { stdout, code } = await run('/');
    expect(stdout).toContain('check');
    expect(code).toBe(0);
  });

  test('refuses what it does not know, and guesses what was meant', async () => {
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

  test('knows its version', async () => {
    expect((await run('/', '--version')).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe('rootward check', () => {
  test('prints the answer for a person', async () => {
    using tree = tempTree(['app/a.ts']);
    const { stdout, stderr, code } = await run(tree.at('app'), 'check', 'read', 'a.ts');
    expect(stdout).toMatchInlineSnapshot(`
      "allowed  read "a.ts"
      root     app
      place    a.ts (file)
      rule     preset:write-in-project
      because  preset "write-in-project" allows "read"
      "
    `);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  test('prints the answer for a program', async () => {
    using tree = tempTree(['app/a.ts']);
    const { stdout, code } = await run(tree.at('app'), 'check', 'remove', 'a.ts', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      operation: 'remove',
      path: 'a.ts',
      allowed: false,
      root: 'app',
    });
    expect(code).toBe(1);
  });

  test('takes roots, permissions and denials', async () => {
    using tree = tempTree(['app/', 'other/a.ts']);
    const here = tree.at('app');
    const check = ['check', 'remove', '../other/a.ts', '--root', '../other'];
    expect((await run(here, ...check)).code).toBe(1);
    expect((await run(here, ...check, '--allow', 'remove')).code).toBe(0);
    expect((await run(here, ...check, '--allow', 'remove', '--deny', '*.ts')).code).toBe(1);
    expect(
      (await run(here, 'check', 'write', '../other/b', '--root', '../other', '--preset', 'read-only')).code,
    ).toBe(1);
  });

  test.each([
    ['an operation that is none', ['check', 'fly', 'x'], 2, 'read, list, write, remove, execute'],
    ['a preset that is none', ['check', 'read', 'x', '--preset', 'all'], 2, 'read-only'],
    ['a glob that is none', ['check', 'read', 'x', '--deny', '['], 2, 'not closed'],
    ['a root that is missing', ['check', 'read', 'x', '--root', 'gone'], 3, 'does not exist'],
  ])('refuses %s and says what would do', async (_what, argv, code, words) => {
    using tree = tempTree(['app/']);
    const result = await run(tree.at('app'), ...argv);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(words);
    expect(result.stderr).not.toContain('    at ');
  });
});
