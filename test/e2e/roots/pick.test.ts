import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { keys, openTerminal } from '../../support/processes/open-terminal.ts';
import { ownHome } from '../../support/processes/own-home.ts';
import { runCommand } from '../../support/processes/run-command.ts';

const layout = [
  'web-app/.git/HEAD',
  'web-app/package.json = {"name":"web-app"}',
  'api/.git/HEAD',
  'api/Cargo.toml = [package]\nname = "api"',
  'notes/notes.code-workspace = {"folders":[{"path":"."}]}',
];

describe('a person before a terminal', () => {
  test('searches, marks and keeps what was found', async () => {
    using home = ownHome(layout);
    using terminal = openTerminal(home, 'pick', '--no-recent');
    await terminal.see(/Which of them may servers see\?/);
    await terminal.see(/api/);
    terminal.type('web');
    await terminal.see(/1 match/);
    terminal.type(keys.tab);
    await terminal.see(/◼ web-app|\[\+\] web-app/);
    terminal.type(keys.enter);
    await terminal.see(/1 added, 0 removed, 1 kept/);
    expect(await terminal.ended).toBe(0);
    expect(await home.names()).toEqual(['web-app']);
  });

  test('keeps several, with permissions', async () => {
    using home = ownHome(layout);
    using terminal = openTerminal(home, 'pick', '--no-recent', '--preset', 'write-in-project');
    await terminal.see(/Which of them/);
    terminal.type(keys.down + keys.tab);
    terminal.type(keys.down + keys.tab);
    terminal.type(keys.enter);
    await terminal.see(/2 added/);
    expect(await terminal.ended).toBe(0);
    expect((await home.run('list')).stdout.match(/read, list, write/g)).toHaveLength(2);
  });

  test('removes what is no longer marked, after a second question', async () => {
    using home = ownHome(layout);
    await home.run('add', 'api', 'notes');
    using terminal = openTerminal(home, 'pick', '--no-recent');
    await terminal.see(/Which of them/);
    terminal.type('notes');
    await terminal.see(/1 match/);
    terminal.type(keys.tab);
    await terminal.see(/◻ notes|\[ \] notes/);
    terminal.type(keys.enter);
    await terminal.see(/Remove notes and all permissions\?/);
    terminal.type('y');
    await terminal.see(/0 added, 1 removed, 1 kept/);
    expect(await terminal.ended).toBe(0);
    expect(await home.names()).toEqual(['api']);
  });

  test('takes nothing away if they do not mean it', async () => {
    using home = ownHome(layout);
    await home.run('add', 'notes');
    using terminal = openTerminal(home, 'pick', '--no-recent');
    await terminal.see(/Which of them/);
    terminal.type('notes');
    await terminal.see(/1 match/);
    terminal.type(keys.tab);
    await terminal.see(/◻ notes|\[ \] notes/);
    terminal.type(keys.enter);
    await terminal.see(/Remove notes/);
    terminal.type('n');
    await terminal.see(/Nothing was changed/);
    expect(await terminal.ended).toBe(1);
    expect(await home.names()).toEqual(['notes']);
  });

  test('leaves with Ctrl+C, and nothing has changed', async () => {
    using home = ownHome(layout);
    using terminal = openTerminal(home, 'pick', '--no-recent');
    await terminal.see(/Which of them/);
    terminal.type(keys.interrupt);
    await terminal.see(/Nothing was changed/);
    expect(await terminal.ended).toBe(1);
    expect(await home.names()).toEqual([]);
  });

  test('does not take away what another terminal has added meanwhile', async () => {
    using home = ownHome(layout);
    await home.run('add', 'notes');
    using terminal = openTerminal(home, 'pick', '--no-recent');
    await terminal.see(/Which of them/);
    expect(await runCommand(home, 'add', 'api')).toMatchObject({ code: 0 });
    terminal.type('web');
    await terminal.see(/1 match/);
    terminal.type(keys.tab);
    await terminal.see(/◼ web-app|\[\+\] web-app/);
    terminal.type(keys.enter);
    await terminal.see(/1 added, 0 removed, 3 kept/);
    expect(await terminal.ended).toBe(0);
    expect(await home.names()).toEqual(['notes', 'api', 'web-app']);
  });

  test('is not offered again what is kept by a link to it', async () => {
    using home = ownHome(layout);
    symlinkSync(home.at('api'), home.at('linked'));
    expect(await home.run('add', 'linked', '--name', 'mine')).toMatchObject({ code: 0 });
    using terminal = openTerminal(home, 'pick', '--no-recent');
    await terminal.see(/Which of them/);
    terminal.type('api');
    await terminal.see(/no matches/i);
    terminal.type(keys.interrupt);
    expect(await terminal.ended).toBe(1);
  });

  test('is told where there is nothing', async () => {
    using home = ownHome(['empty/']);
    using terminal = openTerminal(home, 'pick', 'empty', '--no-recent');
    await terminal.see(/Nothing was found in/);
    expect(await terminal.ended).toBe(0);
  });
});

test('a program instead of a person is told which flags to use', async () => {
  using home = ownHome(layout);
  const { code, stdout, stderr } = await runCommand(home, 'pick');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/Cannot pick without a terminal.*rootward roots add DIR/s);
});
