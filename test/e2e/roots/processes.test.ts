import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { ownHome } from '../../support/processes/own-home.ts';
import { program } from '../../support/processes/program.ts';
import { environmentOf, runCommand } from '../../support/processes/run-command.ts';

test('every command works as a process, one after the other', { timeout: 60_000 }, async () => {
  using home = ownHome();
  const run = async (...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(home, ...argv);
    expect([argv, code, stderr]).toEqual([argv, 0, '']);
    return stdout;
  };
  expect(await run('list')).toContain('No roots');
  expect(await run('add', 'app', 'docs')).toMatch(/added +app.*\nadded +docs/);
  expect(await run('rename', 'docs', 'Documents')).toContain('Documents');
  expect(await run('allow', 'app', 'write')).toContain('read, list, write');
  expect(await run('deny', 'app', '--glob', '*.pem')).toContain('denies 1 pattern');
  expect(await run('limit', 'search', 'Documents')).toContain('shown to search');
  expect(await run('show', 'app')).toMatch(/^permits +read, list, write; denies 1 pattern$/m);
  expect(await run('doctor')).toContain('2 roots in');
  expect(await run('remove', 'app')).toMatch(/removed +app/);
  expect(await run('undo')).toMatch(/^app +read, list, write/m);
  const listed = JSON.parse(await run('list', '--json')) as { roots: { name: string }[] };
  expect(listed.roots.map(({ name }) => name)).toEqual(['app', 'Documents']);
});

test('an editor is opened on the file, and what it left is looked at', async () => {
  using home = ownHome();
  const editor = home.tree.at('editor');
  writeFileSync(editor, `#!/bin/sh\nsed -i 's/"name": "app"/"name": "edited"/' "$1"\n`);
  chmodSync(editor, 0o755);
  await runCommand(home, 'add', 'app');
  const edited = { ...home, env: { ...home.env, VISUAL: editor } };
  expect(await runCommand(edited, 'edit')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('ok'),
  });
  expect(await home.names()).toEqual(['edited']);
});

describe('two terminals at the same time', () => {
  test('lose nothing of each other', { timeout: 120_000 }, async () => {
    const names = Array.from({ length: 6 }, (_, index) => `r${index}`);
    using home = ownHome(names.map((name) => `${name}/`));
    const one = async (mine: readonly string[]): Promise<void> => {
      for (const name of mine) expect(await runCommand(home, 'add', name)).toMatchObject({ code: 0 });
    };
    await Promise.all([one(names.slice(0, 3)), one(names.slice(3))]);
    expect((await home.names()).toSorted()).toEqual(names.toSorted());
    expect(home.text()).toMatch(/"revision": 6,/);
  });

  test('cannot both take the same root away', { timeout: 60_000 }, async () => {
    using home = ownHome();
    await runCommand(home, 'add', 'app');
    const codes = await Promise.all([1, 2].map(async () => (await runCommand(home, 'remove', 'app')).code));
    expect(codes.toSorted((one, other) => one - other)).toEqual([0, 1]);
  });

  test('see each other: one watches what the other does', { timeout: 60_000 }, async () => {
    using home = ownHome();
    await runCommand(home, 'add', 'app');
    const child = spawn(process.execPath, [program, 'roots', 'watch', '--json', '--seconds', '50'], {
      cwd: home.at(),
      env: environmentOf(home),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const events: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => void events.push(line));
    const next = (pattern: RegExp): Promise<void> =>
      expect.poll(() => events.join('\n'), { timeout: 20_000 }).toMatch(pattern);
    await next(/"event":"watching"/);
    await runCommand(home, 'add', 'docs');
    await next(/"event":"store".*"roots":\["app","docs"\]/);
    rmSync(home.at('app'), { recursive: true });
    await next(/"root":"app".*"state":"missing"/);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

test('a file that is damaged is refused with line and column, and left as it is', async () => {
  using home = ownHome();
  writeFileSync(home.file, '{ "roots": [ }');
  for (const argv of [['list'], ['add', 'app'], ['remove', 'app'], ['doctor']]) {
    expect(await runCommand(home, ...argv)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/line 1, column \d+/),
    });
  }
  expect(home.text()).toBe('{ "roots": [ }');
});

test('a file of a later version is refused, and left as it is', async () => {
  using home = ownHome();
  writeFileSync(home.file, '{ "version": 99, "roots": [] }');
  expect(await runCommand(home, 'add', 'app')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('99'),
  });
  expect(home.text()).toBe('{ "version": 99, "roots": [] }');
});
