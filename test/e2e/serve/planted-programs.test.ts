import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { program } from '../../support/processes/program.ts';
import { speak } from '../../support/processes/speak.ts';

/** Whatever we start, and what such programs start in turn. */
const names = 'bwrap rg bash sh env node git setpriv prlimit xdg-open ls cat find timeout vim'.split(' ');

/** A project whose environment was activated, with a program of every name that leaves a mark. */
function plantedTree(): TempTree {
  const script = '#!/bin/sh\necho ran > "$0.ran"\n';
  const tree = tempTree([
    'app/a.txt = needle',
    'app/package.json = {"name":"app"}',
    'home/',
    ...names.map((name) => `app/.venv/bin/${name} = ${script}`),
  ]);
  for (const name of names) chmodSync(tree.at('app/.venv/bin', name), 0o755);
  return tree;
}

function pathFor(tree: TempTree): string {
  return [tree.at('app/.venv/bin'), '.venv/bin', '', '/usr/local/bin', '/usr/bin', '/bin'].join(':');
}

function marks(tree: TempTree): readonly string[] {
  return readdirSync(tree.at('app/.venv/bin')).filter((name) => name.endsWith('.ran'));
}

/** Node without the ripgrep that comes with us, as on a system for which there is none. */
const hook =
  'export const resolve = (name, context, next) => { if (name === "@vscode/ripgrep") throw new Error("none"); return next(name, context); }';
const withoutRipgrep = [
  '--import',
  `data:text/javascript,import{register}from'node:module';register('data:text/javascript,${encodeURIComponent(encodeURIComponent(hook))}')`,
];

describe.skipIf(process.platform === 'win32')('programs that a project puts in front of PATH', () => {
  test('run by their names, as a person would: they leave their marks', () => {
    using tree = plantedTree();
    for (const name of names) spawnSync(name, [], { env: { PATH: pathFor(tree) }, cwd: tree.at('app') });
    expect(marks(tree)).toHaveLength(names.length);
  });

  test('are not run by a server, whatever is called, and that is said', async () => {
    using tree = plantedTree();
    const args = [tree.at('app'), '--allow', 'execute,write,remove'];
    const env = { PATH: pathFor(tree) };
    await using server = await speak({ args, env, cwd: tree.at('app'), node: withoutRipgrep });
    const found = await server.call('search_text', { pattern: 'needle' });
    expect(found.text).toContain('a.txt');
    for (const tool of ['project_info', 'build_config', 'find_docs'])
      await server.call(tool, tool === 'find_docs' ? { query: 'needle' } : {});
    await server.call('shell', { command: '/bin/echo hello' });
    expect(marks(tree)).toEqual([]);
    for (const name of ['rg', 'bwrap'])
      expect(server.wire.stderr()).toContain(`"${tree.at('app/.venv/bin', name)}" is not used: `);
  });

  test('are not run over HTTP either, also where there is no other', async () => {
    using tree = plantedTree();
    const env = { PATH: tree.at('app/.venv/bin'), HOME: tree.at('home'), ROOTWARD_HOME: tree.at('home') };
    const flags = ['--allow', 'execute', '--http', ':0'];
    const args = [program, 'serve', tree.at('app'), ...flags];
    const child = spawn(process.execPath, args, { env, cwd: tree.at('app') });
    let said = '';
    const listening = new Promise<void>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('listening on')) resolve();
      });
    });
    await listening;
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(said).toMatch(/the shell tool is not offered.*bwrap\) is not installed; ".*bwrap" is not used/);
    expect(marks(tree)).toEqual([]);
  });

  test('are not the editor of `roots edit`, where the project is a root', async () => {
    using tree = plantedTree();
    tree.add(
      `home/roots.jsonc = {"version":1,"revision":1,"roots":[{"path":${JSON.stringify(tree.at('app'))}}]}`,
    );
    const env = {
      PATH: pathFor(tree),
      HOME: tree.at('home'),
      ROOTWARD_HOME: tree.at('home'),
    };
    const run = (editor: string) =>
      spawnSync(process.execPath, [program, 'roots', 'edit'], {
        env: { ...env, EDITOR: editor },
        cwd: tree.at('app'),
        encoding: 'utf8',
      });
    const { stdout, stderr, status } = run('cat');
    expect([status, marks(tree)]).toEqual([0, []]);
    expect(stdout).toContain('"revision":1');
    expect(stderr).toContain(`editors in "${tree.at('app/.venv/bin')}" are not used`);
    expect(run('rootward-test-nothing').status).toBe(3);
  });
});
