import { describe, expect, test, vi } from 'vitest';
import { createMemorySink } from '../../src/audit/sink.ts';
import { expose } from '../../src/client/expose/expose.ts';
import { openRootStore } from '../../src/client/store/open-root-store.ts';
import { toPolicyConfig } from '../../src/client/store/permissions-for.ts';
import type { RootStore } from '../../src/client/store/root-store.ts';
import { toFileUri } from '../../src/path/file-uri.ts';
import { decide } from '../../src/policy/decide.ts';
import { parsePolicy } from '../../src/policy/rules/policy.ts';
import { tempTree, type TempTree } from '../../src/testing/temp-tree.ts';
import { heard, type Pair, pairs } from '../support/peers/client-pairs.ts';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { probeConfinement } from '../../src/boundary/process/confinement.ts';
import { difficultClients } from '../../src/testing/index.ts';
import { speakHere, type Spoken } from '../support/processes/speak.ts';
import { keys, openTerminal } from '../support/processes/open-terminal.ts';
import { ownHome, type OwnHome } from '../support/processes/own-home.ts';
import { quotesFrom } from '../support/docs/seed-quotes.ts';

/** The requirements of the overview of roots that this project began with, each under its own words. */
const quote = quotesFrom('004');

const confinement = await probeConfinement();

describe('for a host', () => {
  describe('Quick Start', () => {
    test(quote('1. Capability Declaration'), async () => {
      using tree = tempTree();
      await using store = await open(tree);
      await using pair = await connect(store);
      const { _capabilities: declared } = pair.client as unknown as { _capabilities: unknown };
      expect(declared).toEqual({ roots: { listChanged: true } });
    });

    test(`${quote('2. Basic Roots Request')} and ${quote('3. Roots Response')}`, async () => {
      using tree = tempTree(['projects/myproject/', 'workspace/docs/']);
      await using store = await open(tree);
      await store.add({ path: tree.at('projects', 'myproject'), name: 'My Project' });
      await store.add({ path: tree.at('workspace', 'docs'), name: 'Documentation' });
      await using pair = await connect(store);
      expect(await pair.ask()).toMatchObject({
        roots: [
          { uri: toFileUri(tree.at('projects', 'myproject')), name: 'My Project' },
          { uri: toFileUri(tree.at('workspace', 'docs')), name: 'Documentation' },
        ],
      });
    });

    test(quote('4. Change Notifications'), async () => {
      using tree = tempTree(['app/']);
      await using store = await open(tree);
      await using pair = await connect(store);
      await store.add(tree.at('app'));
      await heard(pair, 1);
      expect(pair.changes()).toBe(1);
    });
  });

  describe('Root Definition', () => {
    test(quote('Human-readable name for display'), async () => {
      using tree = tempTree(['app/']);
      await using store = await open(tree);
      await store.add(tree.at('app'));
      await using pair = await connect(store);
      const asked = await pair.ask();
      expect('roots' in asked && Object.keys(asked.roots[0] ?? {})).toEqual(['uri', 'name', '_meta']);
    });

    test.each([
      [quote('Must use file:// scheme (current specification)'), 'http://example.com/path', 'INVALID_URI'],
      [quote('Must be absolute paths'), 'projects/app', 'INVALID_PATH'],
      [quote('Should point to accessible directories'), '/no/such/directory', 'NOT_FOUND'],
    ])('URI Requirements: %s', async (_row, path, code) => {
      using tree = tempTree();
      await using store = await open(tree);
      await expect(store.add(path)).rejects.toMatchObject({ code });
    });

    test.each<[string, readonly (readonly [entry: string, name: string])[]]>([
      [quote('Single Project Root'), [['projects/web-app/', 'Web Application']]],
      [
        quote('Multiple Repository Roots'),
        [
          ['repos/frontend/', 'Frontend Repository'],
          ['repos/backend/', 'Backend API'],
          ['repos/shared-lib/', 'Shared Library'],
        ],
      ],
      [
        `Documentation Roots, ${quote('"name": "Project Documentation"')}`,
        [
          ['documents/project-docs/', 'Project Documentation'],
          ['documents/api-specs/', 'API Specifications'],
        ],
      ],
      [
        quote('Mixed File and Directory Roots'),
        [
          ['project/', 'Main Project'],
          ['config/settings.json', 'Global Settings'],
          ['.bashrc', 'Shell Configuration'],
        ],
      ],
    ])('Examples: %s', async (_row, entries) => {
      using tree = tempTree(entries.map(([entry]) => entry));
      await using store = await open(tree);
      for (const [entry, name] of entries) await store.add({ path: tree.at(entry.replace(/\/$/, '')), name });
      await using pair = await connect(store);
      expect(await pair.ask()).toMatchObject({
        roots: entries.map(([entry, name]) => ({ uri: toFileUri(tree.at(entry.replace(/\/$/, ''))), name })),
      });
    });
  });

  describe('User Selection Interface', () => {
    test(`addRoot, ${quote('Add to root list')}`, async () => {
      using tree = tempTree(['app/']);
      await using store = await open(tree);
      await using pair = await connect(store);
      expect(await store.add(tree.at('app'))).toMatchObject({ uri: toFileUri(tree.at('app')), name: 'app' });
      expect(readFileSync(tree.at('roots.jsonc'), 'utf8')).toContain('"app"');
      await heard(pair, 1);
    });

    test(quote('removeRoot(uri: string): Promise<void>'), async () => {
      using tree = tempTree(['app/']);
      await using store = await open(tree);
      await store.add(tree.at('app'));
      await store.remove(toFileUri(tree.at('app')));
      expect(store.list()).toEqual([]);
    });

    test(quote('updateRootName(uri: string, name: string): Promise<void>'), async () => {
      using tree = tempTree(['app/']);
      await using store = await open(tree);
      await store.add(tree.at('app'));
      await store.rename(toFileUri(tree.at('app')), 'The App');
      expect(store.list()).toMatchObject([{ name: 'The App' }]);
    });
  });

  test(`DynamicRootManager: ${quote('Send to all connected servers')}`, async () => {
    using tree = tempTree(['app/']);
    await using store = await open(tree);
    await using one = await connect(store);
    await using other = await connect(store, { server: { name: 'other', command: 'y' } });
    await store.add(tree.at('app'));
    await Promise.all([heard(one, 1), heard(other, 1)]);
    await store.remove('app');
    await Promise.all([heard(one, 2), heard(other, 2)]);
    expect([one.changes(), other.changes()]).toEqual([2, 2]);
  });

  describe('Permission Management: RootPermissionManager', () => {
    test(`${quote('checkPermission(uri: string, operation: string): boolean')} and enforceRestrictions`, async () => {
      using tree = tempTree(['app/']);
      await using store = await open(tree);
      await store.add({ path: tree.at('app'), allow: ['read', 'list', 'write'], deny: ['secret/**'] });
      const policy = parsePolicy(toPolicyConfig(store.list()));
      const check = (
        root: string,
        operation: 'read' | 'write' | 'execute' | 'remove',
        relative = 'a',
      ): string => decide(policy, { operation, path: relative }, { root, relative }).verdict;
      expect(check('app', 'read')).toBe('allow');
      expect(check('app', 'write')).toBe('allow');
      expect(check('app', 'execute')).toBe('deny');
      expect(check('app', 'remove')).toBe('deny');
      expect(check('unknown', 'read')).toBe('deny');
      expect(check('app', 'read', 'secret/a')).toBe('deny');
      expect(check('app', 'read', 'secrets/a')).toBe('allow');
    });
  });

  describe('Error Handling', () => {
    test(quote('Client does not have roots capability'), async () => {
      using tree = tempTree();
      await using store = await open(tree);
      await using pair = await connect(store);
      pair.detach();
      expect(await pair.ask()).toEqual({
        code: -32_601,
        message: 'MCP error -32601: Roots not supported',
        data: { reason: 'Client does not have roots capability' },
      });
    });

    test(quote('Root access denied'), async () => {
      using tree = tempTree(['app/']);
      await using store = await open(tree);
      await store.add(tree.at('app'));
      await store.deny('app', { server: 'files' });
      await using pair = await connect(store, { refused: 'error' });
      expect(await pair.ask()).toEqual({
        code: -32_603,
        message: 'MCP error -32603: Root access denied',
        data: { reason: 'Insufficient permissions' },
      });
    });

    test(`${quote('Invalid root URI')}, ${quote('Validation: Validate all root URIs before exposure')}`, async () => {
      using tree = tempTree(['app/']);
      await using store = await open(tree);
      await store.add(tree.at('app'));
      await using pair = await connect(store, { mapUri: () => 'http://example.com/path' });
      expect(await pair.ask()).toEqual({
        code: -32_602,
        message: 'MCP error -32602: Invalid root URI',
        data: { uri: 'http://example.com/path', reason: 'Only file:// URIs are supported' },
      });
    });
  });

  test(quote('Monitoring: Watch for root accessibility changes'), async () => {
    using tree = tempTree(['app/', 'docs/']);
    await using store = await open(tree);
    for (const name of ['app', 'docs']) await store.add(tree.at(name));
    await using pair = await connect(store);
    expect(await pair.ask()).toMatchObject({ roots: [{ name: 'app' }, { name: 'docs' }] });
    rmSync(tree.at('docs'), { recursive: true });
    await heard(pair, 1);
    expect(await pair.ask()).toMatchObject({ roots: [{ name: 'app' }] });
  });

  describe('Security Guidelines', () => {
    test(quote('Audit Logging: Log root access and modifications'), async () => {
      using tree = tempTree(['app/']);
      const audit = createMemorySink();
      await using store = await openRootStore({ file: tree.at('roots.jsonc'), audit });
      await store.add(tree.at('app'));
      await using pair = await connect(store, { audit });
      await pair.ask();
      expect(audit.entries().map(({ event }) => event)).toEqual(['change', 'exposure']);
    });

    test(quote('User Consent: Require explicit user approval for roots'), async () => {
      using tree = tempTree(['app/']);
      await using store = await open(tree);
      await store.add(tree.at('app'));
      const answers = ['never', 'always'];
      const server = { name: 'remote', url: 'https://x.example' };
      await using refused = await connect(store, { server, ask: () => answers.shift() });
      expect(await refused.ask()).toEqual({ roots: [] });
      await store.forget('app', 'remote');
      await using agreed = await connect(store, { server, ask: () => answers.shift() });
      expect(await agreed.ask()).toMatchObject({ roots: [{ name: 'app' }] });
      expect(store.get('app')?.grants).toMatchObject([
        { server: 'remote', answer: 'always', date: expect.any(String) },
      ]);
    });
  });
});

describe('for a person', () => {
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

    test(`${quote('Automatic detection from version control and project files')}, and ${quote('VS Code workspaces')}`, async () => {
      using home = ownHome(layout);
      using terminal = openTerminal(home, 'pick', '--no-recent');
      await terminal.see(/7 candidates/);
      await terminal.see(/Which of them/);
      terminal.type((keys.down + keys.tab).repeat(7) + keys.enter);
      await terminal.see(/7 added/);
      expect(await terminal.ended).toBe(0);
      const { stdout } = await home.run('list', '--json');
      const { roots } = JSON.parse(stdout) as { roots: { path: string }[] };
      const names = ['repository', 'node', 'cargo', 'python', 'maven', 'gradle', 'space'];
      expect(roots.map(({ path }) => path).toSorted()).toEqual(names.map((name) => home.at(name)).toSorted());
    });
  });

  describe('User Selection Interface', () => {
    test(`${quote('Select project directories to share with MCP servers')}, ${quote('Clear UI: Provide intuitive root selection interfaces')}`, async () => {
      using home = ownHome(['one/.git/HEAD', 'two/.git/HEAD']);
      using terminal = openTerminal(home, 'pick', '--no-recent');
      await terminal.see(/Roots for MCP servers/);
      await terminal.see(/Which of them may servers see\?/);
      terminal.type(keys.down + keys.tab + keys.down + keys.tab + keys.enter);
      await terminal.see(/2 added/);
      expect((await home.names()).toSorted()).toEqual(['one', 'two']);
    });

    test(quote('User Control: Allow easy root addition/removal'), async () => {
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
      [quote('Only file:// URIs are supported'), 'http://example.com/path', /only file|scheme|file:/i],
      [`${quote('Path is not safe for sharing')}: /etc`, '/etc', /system/],
      ['the same: /usr/bin', '/usr/bin', /system|programs/],
      ['the same: .ssh', '~/.ssh', /it holds SSH keys/],
      ['the same: .aws', '~/.aws', /it holds AWS credentials/],
      ['the same with /..', '~/app/../.ssh', /it contains "\.\." segments/],
      [quote('Path is not accessible'), '/no/such/place', /does not exist/],
      ['neither a directory nor a file', '/dev/null', /that it is a file or directory/],
    ])('%s', async (_row, path, reason) => {
      using home = ownHome(['.ssh/id', '.aws/credentials', 'app/']);
      vi.stubEnv('HOME', home.at());
      try {
        const { code, stderr } = await home.run('add', path.replace('~', home.at()));
        expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
        expect(await home.names()).toEqual([]);
      } finally {
        vi.unstubAllEnvs();
      }
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
      'web/docs/api/index.html = <h1>Calls</h1>',
      'web/docs/openapi.yaml = info:\n  title: Shop\n',
      'web/docs/schema/order.json = {"title": "Order"}',
      'web/index.js',
      'engine/Cargo.toml = [package]\nname = "engine"\nversion = "0.1.0"',
      'engine/CHANGELOG.md = # Changes',
      'engine/src/main.rs',
      'private/package.json = {"name":"private","scripts":{"build":"make secrets"}}',
      'private/README.md = # Not for servers',
    ];

    test(`${quote('Analyze project structure')}, ${quote('await this.scanForDocumentation(root.uri)')} and ${quote('Check for different build systems')}`, async () => {
      using home = ownHome(layout);
      expect(await home.run('add', 'web', 'engine')).toMatchObject({ code: 0 });
      await using server = await serve(home);
      const ask = async (tool: string): Promise<string> => {
        const { refused, text } = await server.call(tool);
        expect([tool, refused]).toEqual([tool, false]);
        expect(text).not.toMatch(/private|Not for servers/);
        return text;
      };
      expect(await ask('project_info')).toMatch(/web[\s\S]*node/);
      expect(await ask('project_info')).toMatch(/engine[\s\S]*rust/);
      for (const name of [
        'README.md',
        'guide.rst',
        'CHANGELOG.md',
        'index.html',
        'openapi.yaml',
        'order.json',
      ])
        expect(await ask('find_docs')).toContain(name);
      expect(await ask('build_config')).toMatch(/npm[\s\S]*cargo build|cargo build[\s\S]*npm/);
      await home.run('deny', 'web', '--glob', 'docs/**');
      const docs = await ask('find_docs');
      expect([docs.includes('README.md'), docs.includes('guide.rst')]).toEqual([true, false]);
      await home.run('remove', 'engine');
      expect(await ask('project_info')).not.toContain('engine');
      expect(await ask('build_config')).not.toContain('cargo');
    });
  });

  describe('Dynamic Root Management', () => {
    test(quote('Support dynamic root changes with notifications'), async () => {
      using home = ownHome();
      await using server = await serve(home);
      const roots = async (): Promise<string> => (await server.call('list_roots')).text;
      await home.run('add', 'app');
      expect(await roots()).toContain(home.at('app'));
      await home.run('remove', 'app');
      expect(await roots()).not.toContain(home.at('app'));
    });

    test(quote('Check if root still exists'), async () => {
      using home = ownHome(['app/a.txt = one']);
      await home.run('add', 'app');
      await using server = await speakHere({ env: home.env });
      const read = () => server.call('read_text_file', { path: home.at('app', 'a.txt') });
      expect(await read()).toMatchObject({ refused: false });
      rmSync(home.at('app'), { recursive: true });
      expect(await read()).toMatchObject({ refused: true });
      expect((await home.run('list')).stdout).toContain('missing');
      mkdirSync(home.at('app'));
      writeFileSync(home.at('app', 'a.txt'), 'two');
      await expect.poll(read, { timeout: 15_000 }).toMatchObject({ refused: false, text: 'two' });
    });

    test(`${quote('Check if root still exists')}, also after it got another name`, async () => {
      using home = ownHome(['app/a.txt = one']);
      await home.run('add', 'app');
      await using server = await serve(home);
      const read = () => server.call('read_text_file', { path: home.at('app', 'a.txt') });
      await home.run('rename', 'app', 'mine');
      expect(await read()).toMatchObject({ refused: false });
      renameSync(home.at('app'), home.at('other'));
      await expect.poll(read, { timeout: 15_000 }).toMatchObject({ refused: true });
      renameSync(home.at('other'), home.at('app'));
      await expect.poll(read, { timeout: 15_000 }).toMatchObject({ refused: false, text: 'one' });
    });
  });

  describe('Permission Management: RootPermissionManager', () => {
    const path = (home: OwnHome): string => home.at('app', 'a.txt');

    test(`${quote('Granular control over server access permissions')}: granted, then taken back`, async () => {
      using home = ownHome(['app/a.txt = one']);
      await home.run('add', 'app', '--allow', 'read,list,write,remove');
      await using server = await serve(home);
      for (const [tool, input, operation] of [
        ['read_text_file', {}, 'read'],
        ['write_file', { content: 'x' }, 'write'],
        ['remove_file', {}, 'remove'],
      ] as const) {
        await home.run('deny', 'app', operation);
        const call = () => server.call(tool, { path: path(home), ...input });
        expect(await call()).toMatchObject({ refused: true, code: 'DENIED' });
        // Negative control: it is the permission that refuses.
        await home.run('undo');
        expect(await call()).toMatchObject({ refused: false });
      }
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

    test(quote('Permissions: Implement proper access controls'), async () => {
      using home = ownHome(['app/private/key.txt = one', 'app/a.txt = two']);
      await home.run('add', 'app', '--deny', 'private/**');
      await using server = await serve(home);
      const read = (...names: readonly string[]) =>
        server.call('read_text_file', { path: home.at('app', ...names) });
      expect(await read('private', 'key.txt')).toMatchObject({ code: 'DENIED' });
      expect(await read('a.txt')).toMatchObject({ refused: false });
      expect(await server.call('write_file', { path: path(home), content: 'x' })).toMatchObject({
        code: 'DENIED',
      });
    });
  });
});

describe('for a server', () => {
  const layout = [
    'app/a.txt = inside',
    'app/link => ../out/b.txt',
    'other/c.txt = other',
    'out/b.txt = outside',
  ];

  test(quote('Boundary Respect: Always operate within provided roots'), async () => {
    using tree = tempTree(layout);
    await using server = await speakHere({ roots: [toFileUri(tree.at('app'))] });
    const read = (path: string) => server.call('read_text_file', { path });
    expect(await read('a.txt')).toMatchObject({ refused: false, text: 'inside' });
    expect(await read(tree.at('out/b.txt'))).toMatchObject({ refused: true, code: 'OUTSIDE_ROOTS' });
  });

  test.each([
    ['a path with ..', '../out/b.txt'],
    ['a link that leaves', 'link'],
    ['a URI', 'file:///etc/hosts'],
  ])(`${quote('Path Validation: Validate all paths against root boundaries')}: %s`, async (_what, path) => {
    using tree = tempTree(layout);
    await using server = await speakHere({ roots: [toFileUri(tree.at('app'))] });
    // Negative control: without a boundary the text is there.
    expect(readFileSync(path.startsWith('file:') ? '/etc/hosts' : tree.at('app', path), 'utf8')).not.toBe('');
    expect(await server.call('read_text_file', { path })).toMatchObject({
      refused: true,
      code: 'OUTSIDE_ROOTS',
    });
  });

  test(`${quote('Graceful Handling: Handle missing or inaccessible roots')}, ${quote('Path Validation: Always validate root URIs')}`, async () => {
    using tree = tempTree(layout);
    const roots = ['https://example.com/app', toFileUri(tree.at('gone')), toFileUri(tree.at('app'))];
    await using server = await speakHere({ roots });
    expect(await server.call('read_text_file', { path: 'a.txt' })).toMatchObject({ text: 'inside' });
    expect(await server.call('read_text_file', { path: tree.at('gone/a.txt') })).toMatchObject({
      code: 'ROOT_MISSING',
    });
    const { text } = await server.call('list_roots');
    expect(text).toContain('https://example.com/app');
  });

  test(quote('Change Adaptation: Listen for root list changes'), async () => {
    using tree = tempTree(layout);
    await using server = await speakHere({ roots: [toFileUri(tree.at('app'))] });
    expect(await server.call('read_text_file', { path: 'a.txt' })).toMatchObject({ text: 'inside' });
    await server.change(toFileUri(tree.at('other')));
    expect(await server.call('read_text_file', { path: 'c.txt' })).toMatchObject({ text: 'other' });
    expect(await server.call('read_text_file', { path: tree.at('app/a.txt') })).toMatchObject({
      code: 'OUTSIDE_ROOTS',
    });
  });

  test(quote('Error Recovery: Implement fallback strategies'), async () => {
    using tree = tempTree(['app/package.json = {}', 'app/src/a.txt = inside']);
    const client = difficultClients.internalError;
    await using server = await speakHere({ client, roots: [], cwd: tree.at('app/src') });
    expect(await server.call('read_text_file', { path: 'src/a.txt' })).toMatchObject({ text: 'inside' });
  });

  test(quote('Permission Checks: Verify access before operations'), async () => {
    using tree = tempTree(layout);
    await using server = await speakHere({ roots: [toFileUri(tree.at('app'))], args: ['--read-only'] });
    const written = await server.call('write_file', { path: 'a.txt', content: 'changed' });
    expect(written.refused).toBe(true);
    expect(readFileSync(tree.at('app/a.txt'), 'utf8')).toBe('inside');
  });

  test.runIf(confinement.kind !== 'none')(
    quote('Sandboxing: Restrict operations to root boundaries'),
    async () => {
      using tree = tempTree(layout);
      await using server = await speakHere({ args: [tree.at('app'), '--allow', 'remove,execute'] });
      const run = (command: string) => server.call('shell', { command });
      expect(await run('cat a.txt')).toMatchObject({ text: expect.stringContaining('inside') });
      expect((await run(`cat ${tree.at('out/b.txt')}`)).text).not.toContain('outside');
    },
  );
});

function open(tree: TempTree): Promise<RootStore> {
  return openRootStore({ file: tree.at('roots.jsonc') });
}

async function connect(store: RootStore, options = {}): Promise<Pair & AsyncDisposable & { detach(): void }> {
  const pair = pairs['SDK v1']?.();
  if (pair === undefined) throw new Error('no pair');
  const detach = expose(pair.client, store, {
    server: { name: 'files', command: 'x' },
    debounce: 1,
    ...options,
  });
  await pair.connect();
  return { ...pair, detach, [Symbol.asyncDispose]: () => pair.client.close() };
}

function serve(home: OwnHome): Promise<Spoken> {
  return speakHere({ env: home.env });
}
