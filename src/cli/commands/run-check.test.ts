import { describe, expect, test } from 'vitest';
import { runInMemory } from '../../../test/support/processes/run-in-memory.ts';
import { tempTree } from '../../testing/temp-tree.ts';

const run = (cwd: string, ...argv: readonly string[]) => runInMemory(cwd, argv);

describe('rootward check', () => {
  test('without roots uses the detected project', async () => {
    using tree = tempTree(['app/.git/HEAD', 'app/src/', 'app/README.md']);
    const { stdout, code } = await run(tree.at('app/src'), 'check', 'read', '../README.md', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ allowed: true, root: 'app', place: 'README.md' });
    expect(code).toBe(0);
  });

  test('without roots and without a project fails, and lists what was tried', async () => {
    expect(await run('/', 'check', 'read', 'etc/passwd')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Cannot tell the project'),
    });
  });

  test('prints the decision for a person', async () => {
    using tree = tempTree(['app/a.ts']);
    const { stdout, stderr, code } = await run(tree.at('app'), 'check', 'read', 'a.ts', '--root', '.');
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

  test('prints the decision as JSON', async () => {
    using tree = tempTree(['app/a.ts']);
    const { stdout, code } = await run(tree.at('app'), 'check', 'remove', 'a.ts', '--json', '--root', '.');
    expect(JSON.parse(stdout)).toMatchObject({
      operation: 'remove',
      path: 'a.ts',
      allowed: false,
      root: 'app',
    });
    expect(code).toBe(1);
  });

  test('accepts roots, permissions and denials', async () => {
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
    ['a glob that is none', ['check', 'read', 'x', '--root', '.', '--deny', '['], 2, 'not closed'],
    ['a root that is missing', ['check', 'read', 'x', '--root', 'gone'], 3, 'does not exist'],
  ])('refuses %s, with a hint', async (_what, argv, code, words) => {
    using tree = tempTree(['app/']);
    const result = await run(tree.at('app'), ...argv);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(words);
    expect(result.stderr).not.toContain('    at ');
  });
});
