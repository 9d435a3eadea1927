import { describe, expect, test } from 'vitest';
import { ownHome } from '../../../test/support/processes/own-home.ts';
import { runInMemory } from '../../../test/support/processes/run-in-memory.ts';
import { tempTree } from '../../testing/temp-tree.ts';

/** With a home where nothing is kept. */
const run = async (cwd: string, ...argv: readonly string[]) => {
  using home = tempTree();
  return await runInMemory(cwd, argv, { ROOTWARD_HOME: home.path });
};

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
      stderr: expect.stringContaining('Cannot determine the project'),
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
      as in    \`rootward serve "."\`
      permits  those of \`rootward serve\`: the preset "write-in-project"
      for      any client that lists no roots
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

  test('judges by the roots that are kept and their permissions, and says so', async () => {
    using home = ownHome(['app/a.txt', 'docs/b.txt', 'other/c.txt']);
    await home.run('add', 'app', 'docs');
    await home.run('allow', 'docs', 'write');
    const check = (...argv: readonly string[]) => runInMemory(home.at('other'), ['check', ...argv], home.env);
    expect(await check('read', '../app/a.txt')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/with the roots that are kept\n.*kept for the server "rootward"\n/),
    });
    expect((await check('write', '../app/a.txt')).code).toBe(1);
    expect((await check('write', '../docs/new.txt')).code).toBe(0);
    expect((await check('read', 'c.txt')).code).toBe(1);
    // Hypothetically: other permissions, other roots.
    expect((await check('write', '../app/a.txt', '--preset', 'write-in-project')).code).toBe(0);
    const other = await check('write', '../docs/new.txt', '--preset', 'read-only', '--json');
    expect(JSON.parse(other.stdout)).toMatchObject({
      allowed: false,
      rule: 'preset:read-only',
      under: {
        permissions: 'the preset "read-only", as if it were set',
        roots: [home.at('app'), home.at('docs')],
      },
    });
    expect((await check('read', 'c.txt', '--root', '.')).code).toBe(0);
  });

  test('judges as one client', async () => {
    using tree = tempTree(['home/', 'app/package.json = {}', 'app/a.txt', 'else/']);
    const env = { ROOTWARD_HOME: tree.at('home'), CLAUDE_PROJECT_DIR: tree.at('app') };
    const check = (...argv: readonly string[]) =>
      runInMemory(tree.at('else'), ['check', 'read', tree.at('app/a.txt'), ...argv], env);
    expect((await check()).code).toBe(1);
    const { code, stdout } = await check('--as', 'claude-code');
    expect(code).toBe(0);
    expect(stdout).toContain(`for      the client "claude-code", which lists "${tree.at('app')}"`);
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
