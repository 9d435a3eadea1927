import { chmodSync, existsSync, linkSync, lstatSync, readFileSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { probeConfinement } from '../../../src/boundary/process/confinement.ts';
import { flagOf, serveOptionList, variableOf } from '../../../src/serve/settings/serve-options.ts';
import { tempTree } from '../../../src/testing/index.ts';
import { connectClient } from '../../support/http/clients.ts';
import { type Answer, speak, speakHere, type Spoken } from '../../support/processes/speak.ts';
import { startHttpHere } from '../../support/http/start-http.ts';
import { program } from '../../support/processes/program.ts';

/*
 * A writer of the files that a server reads at its start decides what the next start allows. So no tool reaches the
 * files that were named to the command, its own directories, or the program itself.
 */

const confinement = await probeConfinement();

/** The options that name a file of the server's own. */
const files = serveOptionList.flatMap(([name, { kind }]) => (kind === 'file' ? [name] : []));
const key = 'k'.repeat(44);
/** Is the file as good as the next start could want it? */
const granting = '{ "policy": { "allow": ["execute"] }, "allowUnconfinedShell": true }';
const all = ['--allow', 'remove'];

/** Every way to read, change or replace a file by its name, with what it answers. */
async function tryAll(
  server: Spoken,
  path: string,
  other: string,
): Promise<Readonly<Record<string, Answer>>> {
  const edits = [{ oldText: '{', newText: '{' }];
  const attempts: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['read_text_file', { path }],
    ['read_media_file', { path }],
    ['copy_file', { source: path, destination: `${other}.copy` }],
    ['move_file', { source: path, destination: `${other}.moved` }],
    ['edit_file', { path, edits }],
    ['write_file', { path, content: granting }],
    ['remove_file', { path }],
    ['move_file', { source: other, destination: path }],
    ['copy_file', { source: other, destination: path }],
  ];
  const answers: [string, Answer][] = [];
  for (const [index, [tool, input]] of attempts.entries())
    answers.push([`${index} ${tool}`, await server.call(tool, input)]);
  return Object.fromEntries(answers);
}

function expectRefused(answers: Readonly<Record<string, Answer>>): void {
  for (const [attempt, answer] of Object.entries(answers))
    expect({ attempt, ...answer }).toMatchObject({ attempt, refused: true, code: 'DENIED' });
}

describe('a file that is named to the command is reached by no tool', () => {
  test.each(['a flag', 'a variable'])('by %s', async (how) => {
    using tree = tempTree(['app/conf.json = {}', 'app/steps.log', `app/evil.json = ${granting}`]);
    const named = { config: tree.at('app/conf.json'), logFile: tree.at('app/steps.log') };
    const flags = Object.entries(named).flatMap(([name, path]) => [flagOf(name), path]);
    const env = Object.fromEntries(Object.entries(named).map(([name, path]) => [variableOf(name), path]));
    const said =
      how === 'a flag'
        ? { args: [tree.at('app'), ...all, ...flags] }
        : { args: [tree.at('app'), ...all], env };
    await using server = await speakHere(said);
    for (const path of Object.values(named))
      expectRefused(await tryAll(server, path, tree.at('app/evil.json')));
    expect((await server.call('search_text', { pattern: 'kind' })).text).not.toContain('steps.log');
    expect(readFileSync(named.config, 'utf8')).toBe('{}');
    // What lies beside them is reached as ever.
    expect(await server.call('read_text_file', { path: 'evil.json' })).toMatchObject({ text: granting });
    await expect.poll(() => server.wire.stderr()).toMatch(/rootward: .*conf\.json.*steps\.log.*\n/);
  });

  test('over HTTP: token, key, settings, log and socket', async () => {
    expect(files).toEqual(['config', 'logFile', 'tokenFile', 'sealingKeyFile']);
    using tree = tempTree(['app/run/', 'app/evil.json = {}', 'home/']);
    const contents = { config: '{}', logFile: '', tokenFile: 't'.repeat(40), sealingKeyFile: key };
    for (const [name, text] of Object.entries(contents)) tree.add(`app/${name} = ${text}`);
    const flags = files.flatMap((name) => [flagOf(name), tree.at('app', name)]);
    for (const name of files) chmodSync(tree.at('app', name), 0o600);
    chmodSync(tree.at('app/run'), 0o700);
    await using listening = await startHttpHere({ args: [tree.at('app'), ...all, ...flags] });
    const roots = (): { uri: string }[] => [{ uri: `file://${tree.at('app')}` }];
    const { url } = listening;
    await using client = await connectClient('v2 in 2025', { url, token: contents.tokenFile, roots });
    const read = async (name: string): Promise<string> =>
      client.call('read_text_file', { path: tree.at('app', name) });
    for (const name of files) await expect(read(name)).rejects.toThrow('kept from this server');
    expect(await read('evil.json')).toBe('{}');
    for (const name of files) await expect.poll(() => listening.stderr()).toContain(flagOf(name));
    await using atSocket = await startHttpHere({
      args: [tree.at('app'), ...all],
      http: `unix:${tree.at('app/run/s')}`,
    });
    await expect.poll(() => atSocket.stderr()).toMatch(/run\/s.*--http/);
  });

  test('also by a second name, a link, another spelling, and through the directory that holds it', async () => {
    using tree = tempTree([
      'app/own/conf.json = {}',
      `app/evil/conf.json = ${granting}`,
      'app/link => own/conf.json',
      'app/sub/{} = x',
    ]);
    linkSync(tree.at('app/own/conf.json'), tree.at('app/second.json'));
    linkSync(tree.at('app/own/conf.json'), tree.at('app/sub/.gitignore'));
    await using server = await speakHere({
      args: [tree.at('app'), ...all, '--config', tree.at('app/own/conf.json')],
    });
    // As a rule it would leave out what it says.
    expect((await server.call('find_files', { path: 'sub', globs: ['**'] })).text).toContain('{}');
    for (const path of ['link', 'second.json', 'own/./conf.json', 'evil/../own/conf.json', 'own/CONF.JSON'])
      expect({ path, ...(await server.call('read_text_file', { path })) }).toMatchObject({
        path,
        refused: true,
      });
    expect(await server.call('copy_file', { source: 'second.json', destination: 'x' })).toMatchObject({
      code: 'DENIED',
    });
    expect((await server.call('search_text', { pattern: '\\{\\}' })).text).toBe('No matches found');
    for (const destination of ['elsewhere', 'evil/own'])
      expect(await server.call('move_file', { source: 'own', destination })).toMatchObject({
        code: 'DENIED',
      });
    expect(await server.call('remove_file', { path: 'own', recursive: true })).toMatchObject({
      refused: true,
    });
    expect(await server.call('move_file', { source: 'evil', destination: 'own' })).toMatchObject({
      refused: true,
    });
    expect(readFileSync(tree.at('app/own/conf.json'), 'utf8')).toBe('{}');
  });

  test('also where a link on the way to it could be exchanged', async () => {
    using tree = tempTree([
      'app/real/conf.json = {}',
      `app/evil/conf.json = ${granting}`,
      'app/way => real',
      'app/other => evil',
    ]);
    const config = tree.at('app/way/conf.json');
    await using server = await speakHere({ args: [tree.at('app'), ...all, '--config', config] });
    expect(await server.call('move_file', { source: 'way', destination: 'gone' })).toMatchObject({
      code: 'DENIED',
    });
    expect(await server.call('remove_file', { path: 'way' })).toMatchObject({ code: 'DENIED' });
    expect(await server.call('move_file', { source: 'other', destination: 'way' })).toMatchObject({
      refused: true,
    });
    expect(readFileSync(config, 'utf8')).toBe('{}');
    // The same on the plain file system is a shell at the next start.
    renameSync(tree.at('app/way'), tree.at('app/gone'));
    renameSync(tree.at('app/other'), tree.at('app/way'));
    expect(readFileSync(config, 'utf8')).toBe(granting);
  });

  test('also after an editor has replaced it, and after it is gone', async () => {
    using tree = tempTree(['app/conf.json = {}', 'app/new.json = {"debug":false}']);
    const config = tree.at('app/conf.json');
    await using server = await speakHere({ args: [tree.at('app'), ...all, '--config', config] });
    renameSync(tree.at('app/new.json'), config);
    expect(await server.call('read_text_file', { path: config })).toMatchObject({ code: 'DENIED' });
    renameSync(config, tree.at('gone.json'));
    expect(await server.call('write_file', { path: config, content: granting })).toMatchObject({
      code: 'DENIED',
    });
    tree.add('app/evil.json = {}');
    const move = { source: 'evil.json', destination: 'conf.json' };
    expect(await server.call('move_file', move)).toMatchObject({ code: 'DENIED' });
    expect(existsSync(config)).toBe(false);
  });

  test('in a root that the client lists', async () => {
    using tree = tempTree(['app/conf.json = {}']);
    const config = tree.at('app/conf.json');
    const roots = [`file://${tree.at('app')}`];
    await using server = await speakHere({ args: ['--config', config], roots });
    expect(await server.call('write_file', { path: config, content: granting })).toMatchObject({
      code: 'DENIED',
    });
  });
});

describe.runIf(confinement.kind !== 'none')('a confined command line', () => {
  test('sees our files empty, and cannot exchange them or what holds them', async () => {
    using tree = tempTree(['app/own/conf.json = {"debug":false}', `app/evil.json = ${granting}`]);
    linkSync(tree.at('app/own/conf.json'), tree.at('app/second.json'));
    const config = tree.at('app/own/conf.json');
    await using server = await speakHere({
      args: [tree.at('app'), '--allow', 'remove,execute', '--config', config],
    });
    const command =
      'cat own/conf.json second.json; cp evil.json own/conf.json; mv evil.json own/conf.json; rm -rf own; mv own x; echo done';
    const { text } = await server.call('shell', { command });
    expect(text).toContain('done');
    expect(text).not.toContain('debug');
    expect(readFileSync(config, 'utf8')).toBe('{"debug":false}');
  });

  test('does not run where a place of ours could be made, or leads over a link', async () => {
    using tree = tempTree(['app/real/conf.json = {}', 'app/way => real', 'app/other/conf.json = {}']);
    for (const config of ['app/way/conf.json', 'app/other/conf.json']) {
      await using server = await speakHere({
        args: [tree.at('app'), '--allow', 'remove,execute', '--config', tree.at(config)],
      });
      if (config.includes('other')) renameSync(tree.at(config), tree.at('gone.json'));
      const answer = await server.call('shell', {
        command: 'rm -rf way other; mkdir way other; echo {} > way/conf.json',
      });
      expect({ config, ...answer }).toMatchObject({ config, code: 'CANNOT_CONFINE' });
    }
    expect(lstatSync(tree.at('app/way')).isSymbolicLink()).toBe(true);
  });

  test('cannot make our directories: they are there before it runs', async () => {
    using tree = tempTree(['home/a.txt']);
    const place = tree.at('home/.config/rootward');
    const env = {
      HOME: tree.at('home'),
      ROOTWARD_HOME: '',
      XDG_CONFIG_HOME: '',
      XDG_STATE_HOME: '',
      XDG_CACHE_HOME: '',
    };
    await using server = await speak({ args: [tree.at('home'), '--allow', 'remove,execute'], env });
    const command = `mkdir -p .config/rootward; echo '{}' > .config/rootward/roots.jsonc; mv .config x; ls -a; echo done`;
    expect((await server.call('shell', { command })).text).toContain('done');
    expect(existsSync(place)).toBe(true);
    expect(existsSync(`${place}/roots.jsonc`)).toBe(false);
  });
});

describe('the directories of ours that did not exist', () => {
  test('cannot come into being behind a link', async () => {
    using tree = tempTree(['home/.config/x', 'home/evil/rootward/roots.jsonc = {}', 'home/link => evil']);
    const env = {
      HOME: tree.at('home'),
      ROOTWARD_HOME: '',
      XDG_CONFIG_HOME: '',
      XDG_STATE_HOME: '',
      XDG_CACHE_HOME: '',
    };
    await using server = await speak({ args: [tree.at('home'), ...all], env });
    expect(await server.call('move_file', { source: '.config', destination: 'old' })).toMatchObject({
      refused: true,
    });
    expect(await server.call('move_file', { source: 'link', destination: '.config' })).toMatchObject({
      refused: true,
    });
    expect(existsSync(tree.at('home/.config/rootward/roots.jsonc'))).toBe(false);
  });
});

describe('the program itself', () => {
  const repository = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

  test('can be read and not changed, where a root holds it', async () => {
    await using server = await speak({ args: [repository, ...all] });
    expect((await server.call('read_text_file', { path: program })).refused).toBe(false);
    const planted = ['.build/src/planted.js', 'node_modules/zod/planted.js', 'package.json'];
    for (const path of planted)
      expect({ path, ...(await server.call('check_path', { path, operation: 'write' })) }).toMatchObject({
        path,
        text: expect.stringContaining('part of the running Rootward') as string,
      });
    expect(await server.call('write_file', { path: '.build/src/planted.js', content: '' })).toMatchObject({
      code: 'DENIED',
      text: expect.stringContaining('No setting allows this') as string,
    });
    expect(await server.call('move_file', { source: '.build', destination: 'x' })).toMatchObject({
      code: 'DENIED',
    });
    await expect.poll(() => server.wire.stderr()).toMatch(/rootward: .*can be read but not changed.*\.build/);
    const open = await server.call('check_path', { path: 'src/new.ts', operation: 'write' });
    expect(open.text).not.toContain('part of the running Rootward');
  });
});

test('settings in which a client names servers can be read and not written, wherever they lie', async () => {
  const names = [
    '.mcp.json',
    '.vscode/mcp.json',
    '.cursor/mcp.json',
    'sub/.mcp.json',
    '.claude/settings.json',
  ];
  using tree = tempTree(names.map((name) => `app/${name} = {}`));
  await using server = await speakHere({ args: [tree.at('app'), ...all] });
  for (const path of names) {
    expect(await server.call('read_text_file', { path })).toMatchObject({ text: '{}' });
    expect(await server.call('write_file', { path, content: granting })).toMatchObject({ code: 'DENIED' });
    expect(await server.call('remove_file', { path })).toMatchObject({ code: 'DENIED' });
  }
  expect(await server.call('move_file', { source: '.cursor', destination: 'x' })).toMatchObject({
    code: 'DENIED',
  });
});
