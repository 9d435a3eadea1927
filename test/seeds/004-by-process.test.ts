import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { probeConfinement } from '../../src/boundary/process/confinement.ts';
import { speak, type Spoken } from '../support/processes/speak.ts';
import { keys, openTerminal } from '../support/processes/open-terminal.ts';
import { ownHome, type OwnHome } from '../support/processes/own-home.ts';

/** The overview of roots that this project began with, as a person meets it: each example under its heading. */

const confinement = await probeConfinement();

function serve(home: OwnHome): Promise<Spoken> {
  return speak({ env: home.env });
}

describe('Automatic Detection', () => {
  const layout = [
    'repository/.git/HEAD',
    'node/package.json = {"name":"node"}',
    'cargo/Cargo.toml = [package]\nname = "cargo"',
    'python/pyproject.toml = [project]\nname = "python"',
    'maven/pom.xml = <project><artifactId>maven</artifactId></project>',
    'gradle/build.gradle',
    'space/space.code-workspace = {"folders":[]}',
  ];

  test.each([
    ['detectGitRepositories: .git', 'repository'],
    ['detectProjectFiles: package.json', 'node'],
    ['detectProjectFiles: Cargo.toml', 'cargo'],
    ['detectProjectFiles: pyproject.toml', 'python'],
    ['detectProjectFiles: pom.xml', 'maven'],
    ['detectProjectFiles: build.gradle', 'gradle'],
    ['detectWorkspaces: *.code-workspace', 'space'],
  ])('%s is offered to the person who picks', async (_row, name) => {
    using home = ownHome(layout);
    using terminal = openTerminal(home, 'pick', '--no-recent');
    await terminal.see(/7 candidates/);
    terminal.type(`work/${name}`);
    await terminal.see(/1 match/);
    terminal.type(keys.tab + keys.enter);
    await terminal.see(/1 added/);
    expect(await terminal.ended).toBe(0);
    const { stdout } = await home.run('list', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ roots: [{ path: home.at(name) }] });
  });
});

describe('User Selection Interface', () => {
  test('showRootSelectionDialog: several directories at once, with a title and what it means', async () => {
    using home = ownHome(['one/.git/HEAD', 'two/.git/HEAD']);
    using terminal = openTerminal(home, 'pick', '--no-recent');
    await terminal.see(/Roots for MCP servers/);
    await terminal.see(/Which of them may servers see\?/);
    terminal.type(keys.down + keys.tab + keys.down + keys.tab + keys.enter);
    await terminal.see(/2 added/);
    expect((await home.names()).toSorted()).toEqual(['one', 'two']);
  });

  test('addRoot, removeRoot and updateRootName: by path, name and URI', async () => {
    using home = ownHome();
    expect(await home.run('add', 'app')).toMatchObject({ code: 0 });
    expect(await home.run('rename', `file://${home.at('app')}`, 'My Project')).toMatchObject({ code: 0 });
    expect(await home.names()).toEqual(['My Project']);
    expect(await home.run('remove', `file://${home.at('app')}`)).toMatchObject({ code: 0 });
    expect(await home.names()).toEqual([]);
  });
});

describe('Path Validation: RootSecurityValidator', () => {
  test.each([
    ['Only file:// URIs are supported', 'http://example.com/path', /only file|scheme|file:/i],
    ['Path is not safe for sharing: /etc', '/etc', /system/],
    ['Path is not safe for sharing: /usr/bin', '/usr/bin', /system|programs/],
    ['Path is not accessible', '/no/such/place', /does not exist/],
  ])('%s', async (_row, path, reason) => {
    using home = ownHome();
    const { code, stderr } = await home.run('add', path);
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
    expect(await home.names()).toEqual([]);
  });

  test('a name that only begins like an unsafe one is fine, and a link to an unsafe one is not', async () => {
    using home = ownHome(['etcetera/']);
    symlinkSync('/etc', home.at('harmless'));
    expect(await home.run('add', 'etcetera')).toMatchObject({ code: 0 });
    expect(await home.run('add', 'harmless')).toMatchObject({ code: 1 });
  });
});

describe('Use Cases', () => {
  const layout = [
    'web/package.json = {"name":"web","scripts":{"build":"vite build","test":"vitest"}}',
    'web/README.md = # The web client',
    'web/docs/guide.rst = Guide\n=====',
    'web/index.js',
    'engine/Cargo.toml = [package]\nname = "engine"\nversion = "0.1.0"',
    'engine/CHANGELOG.md = # Changes',
    'engine/src/main.rs',
    'private/package.json = {"name":"private","scripts":{"build":"make secrets"}}',
    'private/README.md = # Not for servers',
  ];

  /** Two projects that a person keeps, and one that they do not. */
  async function withServer(use: (server: Spoken, home: OwnHome) => Promise<void>): Promise<void> {
    using home = ownHome(layout);
    expect(await home.run('add', 'web', 'engine')).toMatchObject({ code: 0 });
    await using server = await serve(home);
    await use(server, home);
  }

  test('1. Code Analysis Server: every root is described by its own manifest', async () => {
    await withServer(async (server, home) => {
      const { refused, text } = await server.call('project_info');
      expect(refused).toBe(false);
      expect(text).toMatch(/web[\s\S]*node/);
      expect(text).toMatch(/engine[\s\S]*rust/);
      expect(text).not.toContain('private');
      await home.run('remove', 'engine');
      expect((await server.call('project_info')).text).not.toContain('engine');
    });
  });

  test('2. Documentation Server: what is written is found in every root', async () => {
    await withServer(async (server, home) => {
      const { refused, text } = await server.call('find_docs');
      expect(refused).toBe(false);
      for (const name of ['README.md', 'guide.rst', 'CHANGELOG.md']) expect(text).toContain(name);
      expect(text).not.toContain('Not for servers');
      await home.run('deny', 'web', '--glob', 'docs/**');
      const { text: later } = await server.call('find_docs');
      expect([later.includes('README.md'), later.includes('guide.rst')]).toEqual([true, false]);
    });
  });

  test('3. Build Tool Server: the commands of every root are told together', async () => {
    await withServer(async (server, home) => {
      const { refused, text } = await server.call('build_config');
      expect(refused).toBe(false);
      expect(text).toMatch(/npm/);
      expect(text).toMatch(/cargo build/);
      expect(text).not.toContain('private');
      await home.run('remove', 'web');
      expect((await server.call('build_config')).text).not.toMatch(/npm/);
    });
  });
});

describe('Dynamic Root Management', () => {
  test('DynamicRootManager: a server learns of what is added and removed', async () => {
    using home = ownHome();
    await using server = await serve(home);
    const roots = async (): Promise<string> => (await server.call('list_roots')).text;
    await home.run('add', 'app');
    expect(await roots()).toContain(home.at('app'));
    await home.run('remove', 'app');
    expect(await roots()).not.toContain(home.at('app'));
  });

  test('RootWatcher: a root that is gone is not reached, and it comes back by itself', async () => {
    using home = ownHome(['app/a.txt = one']);
    await home.run('add', 'app');
    await using server = await speak({ env: home.env });
    const read = () => server.call('read_text_file', { path: home.at('app', 'a.txt') });
    expect(await read()).toMatchObject({ refused: false });
    rmSync(home.at('app'), { recursive: true });
    expect(await read()).toMatchObject({ refused: true });
    expect((await home.run('list')).stdout).toContain('missing');
    mkdirSync(home.at('app'));
    writeFileSync(home.at('app', 'a.txt'), 'two');
    // Sooner than by looking at the disk every five seconds: the server is told.
    await expect.poll(read, { timeout: 3_000 }).toMatchObject({ refused: false, text: 'two' });
  });

  test('RootWatcher: a root that gets another name is withdrawn', async () => {
    using home = ownHome(['app/a.txt = one']);
    await home.run('add', 'app');
    await using server = await serve(home);
    const read = () => server.call('read_text_file', { path: home.at('app', 'a.txt') });
    // What was just looked at counts for five seconds, unless the server is told.
    await home.run('rename', 'app', 'mine');
    expect(await read()).toMatchObject({ refused: false });
    renameSync(home.at('app'), home.at('other'));
    await expect.poll(read, { timeout: 3_000 }).toMatchObject({ refused: true });
    renameSync(home.at('other'), home.at('app'));
    await expect.poll(read, { timeout: 3_000 }).toMatchObject({ refused: false, text: 'one' });
  });
});

describe('Permission Management: RootPermissionManager', () => {
  const path = (home: OwnHome): string => home.at('app', 'a.txt');

  test.each([
    ['allowRead', 'read_text_file', {}, ['deny', 'app', 'read']],
    ['allowWrite', 'write_file', { content: 'x' }, ['deny', 'app', 'write']],
    ['allowDelete', 'remove_file', {}, ['deny', 'app', 'remove']],
  ])('%s: granted, then taken back', async (_row, tool, input, denial) => {
    using home = ownHome(['app/a.txt = one']);
    await home.run('add', 'app', '--allow', 'read,list,write,remove');
    await using server = await serve(home);
    await home.run(...denial);
    const call = () => server.call(tool, { path: path(home), ...input });
    expect(await call()).toMatchObject({ refused: true, code: 'DENIED' });
    // Negative control: it is the permission that refuses.
    await home.run('undo');
    expect(await call()).toMatchObject({ refused: false });
  });

  test.runIf(confinement.kind !== 'none')('allowExecute: granted, then taken back', async () => {
    using home = ownHome(['app/a.txt = one']);
    await home.run('add', 'app', '--allow', 'read,list,execute');
    await using server = await serve(home);
    const run = () => server.call('shell', { command: 'cat a.txt' });
    expect(await run()).toMatchObject({ refused: false, text: expect.stringContaining('one') });
    await home.run('deny', 'app', 'execute');
    expect(await run()).toMatchObject({ refused: true });
    await home.run('undo');
    expect(await run()).toMatchObject({ refused: false });
  });

  test('restrictions: patterns that nothing passes', async () => {
    using home = ownHome(['app/private/key.txt = one', 'app/a.txt = two']);
    await home.run('add', 'app', '--deny', 'private/**');
    await using server = await serve(home);
    const read = (...names: readonly string[]) =>
      server.call('read_text_file', { path: home.at('app', ...names) });
    expect(await read('private', 'key.txt')).toMatchObject({ code: 'DENIED' });
    expect(await read('a.txt')).toMatchObject({ refused: false });
  });

  test('a root without permissions of its own allows reading, and nothing that changes it', async () => {
    using home = ownHome(['app/a.txt = one']);
    await home.run('add', 'app');
    await using server = await serve(home);
    expect(await server.call('write_file', { path: path(home), content: 'x' })).toMatchObject({
      code: 'DENIED',
    });
  });
});
