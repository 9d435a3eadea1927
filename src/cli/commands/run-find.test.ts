import { describe, expect, test } from 'vitest';
import { runInMemory } from '../../../test/support/processes/run-in-memory.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { runCli } from '../run-cli.ts';

const layout = [
  'code/app/.git/HEAD',
  'code/app/package.json = {"name":"app","workspaces":["packages/*"]}',
  'code/app/packages/a/package.json = {"name":"@app/a"}',
  'code/app/node_modules/x/package.json = {"name":"x"}',
  'code/tool/Cargo.toml = [package]\nname = "tool"',
  'empty/',
];

describe('rootward find', () => {
  test('prints a table for a person', async () => {
    using tree = tempTree(layout);
    const { stdout, code } = await runInMemory(tree.path, ['find', 'code']);
    expect(stdout).toMatch(/^where +name +kind +markers\n/);
    expect(stdout).toMatch(/^app +app +repository +\.git, package\.json$/m);
    expect(stdout).toMatch(/^app\/packages\/a +@app\/a +package +package\.json$/m);
    expect(stdout).toMatch(/^tool +tool +manifest +Cargo\.toml$/m);
    expect(stdout).toMatch(/\n3 projects\n$/);
    expect(stdout).not.toContain('node_modules');
    expect(code).toBe(0);
  });

  test('prints one JSON line per project', async () => {
    using tree = tempTree(layout);
    const { stdout, stderr } = await runInMemory(tree.at('code'), ['find', '--json']);
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { name: string }).name);
    expect(names.toSorted()).toEqual(['@app/a', 'app', 'tool']);
    expect(stderr).toBe('');
  });

  test('says when nothing was found, and when there is more further down', async () => {
    using tree = tempTree(layout);
    expect(await runInMemory(tree.path, ['find', 'empty'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Cannot find a project below "empty"\..*--depth/),
    });
    const shallow = await runInMemory(tree.path, ['find', '--depth', '1']);
    expect(shallow.stderr).toContain('--depth goes deeper');
  });

  test('refuses a missing directory and an invalid number', async () => {
    using tree = tempTree(['f']);
    expect(await runInMemory(tree.path, ['find', 'gone'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('does not exist'),
    });
    expect(await runInMemory(tree.path, ['find', '--depth', 'deep'])).toMatchObject({ code: 2 });
    expect(await runInMemory(tree.path, ['find', '--seconds=-1'])).toMatchObject({ code: 2 });
  });

  test('shows progress on a terminal, and removes it at the end', async () => {
    using tree = tempTree(layout);
    const written: string[] = [];
    const stdout = { write: () => {} };
    const stderr = { isTTY: true, write: (text: string) => void written.push(text) };
    await runCli(['find'], { process: { stdout, stderr, env: {} }, cwd: tree.path });
    expect(written.some((text) => /\d+ projects in \d+ directories/.test(text))).toBe(true);
    expect(written.at(-1)).toBe('\r\u001B[2K');
  });
});
