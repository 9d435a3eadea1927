import { homedir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import type { CliContext } from './process-context.ts';
import type { ServeFlags } from './serve-options.ts';
import { absolutePaths, readServeSettings, type ServeSettings } from './serve-settings.ts';

const quiet = { write: () => undefined };

function read(
  flags: ServeFlags = {},
  { env = {}, cwd = '/here', directories = [] }: Partial<Given> = {},
): Promise<ServeSettings> {
  const context: CliContext = { process: { stdout: quiet, stderr: quiet, env }, cwd };
  return readServeSettings(context, flags, directories);
}

interface Given {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly directories: readonly string[];
}

describe('by default', () => {
  test('files may be read, listed and written, and nothing is bounded', async () => {
    expect(await read()).toMatchObject({
      directories: undefined,
      project: undefined,
      merge: undefined,
      policy: { preset: 'write-in-project' },
      limited: false,
      markers: undefined,
      logFile: undefined,
      debug: false,
      http: undefined,
      hosts: [],
      origins: [],
      tokenFile: undefined,
      token: undefined,
      allowUnconfinedShell: false,
      shell: {},
      oneFilesystem: false,
      store: true,
      server: 'rootward',
      ownFiles: [],
      settingOrigins: {},
    });
  });
});

describe('the stored roots', () => {
  test.each<[title: string, used: boolean, flags: ServeFlags, given: Partial<Given>]>([
    ['are used on stdio', true, {}, {}],
    ['are not used if they are switched off', false, { store: false }, {}],
    ['are not used by ROOTWARD_NO_STORE', false, {}, { env: { ROOTWARD_NO_STORE: '1' } }],
    ['are used in spite of it by a flag', true, { store: true }, { env: { ROOTWARD_NO_STORE: '1' } }],
    ['are not used beside directories', false, {}, { directories: ['app'] }],
    ['are not used beside a project', false, { project: 'app' }, {}],
    ['are not used over HTTP', false, { http: ':0' }, {}],
    ['are used over HTTP by --store', true, { http: ':0', store: true }, {}],
    ['are used over HTTP by ROOTWARD_STORE', true, { http: ':0' }, { env: { ROOTWARD_STORE: '1' } }],
  ])('%s', async (_case, used, flags, given) => {
    expect((await read(flags, given)).store).toBe(used);
  });

  test.each<[title: string, flags: ServeFlags, given: Partial<Given>]>([
    ['directories', { store: true }, { directories: ['app'] }],
    ['a project', { store: true, project: 'app' }, {}],
  ])('cannot be combined with %s', async (_case, flags, given) => {
    await expect(read(flags, given)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      data: { where: '--store' },
    });
  });

  test('are limited by a chosen preset', async () => {
    using tree = tempTree([
      'deny.json = {"policy":{"deny":["x"]}}',
      'choice.json = {"policy":{"allow":["read"]}}',
    ]);
    expect((await read({ readOnly: true })).limited).toBe(true);
    expect((await read({ allow: ['remove'] })).limited).toBe(false);
    expect((await read({ config: tree.at('deny.json') })).limited).toBe(false);
    expect((await read({ config: tree.at('choice.json') })).limited).toBe(true);
  });
});

describe('paths', () => {
  test('of flags are relative to the current directory', async () => {
    const { directories, project } = await read(
      { project: './app' },
      { directories: ['..', '/x', 'file:///y'] },
    );
    expect(directories).toEqual(['/', '/x', 'file:///y']);
    expect(project).toBe('/here/app');
  });

  test('of a file are relative to the file, with ~ as the home directory', async () => {
    using tree = tempTree();
    tree.add('conf/a.json = {"directories": ["app", "~/b", "/c"], "logFile": "x.log"}');
    const settings = await read({ config: 'conf/a.json' }, { cwd: tree.path });
    expect(settings.directories).toEqual([tree.at('conf/app'), `${homedir()}/b`, '/c']);
    expect(settings.logFile).toBe(tree.at('conf/x.log'));
  });

  test('may begin with ~ everywhere, because a client starts a server without a shell', async () => {
    const { directories, project, tokenFile, shell } = await read(
      { project: '~', tokenFile: '~/token', shellRead: ['~/.cargo'] },
      { directories: ['~/code', './~', '~other/x'] },
    );
    expect(directories).toEqual([`${homedir()}/code`, '/here/~', '/here/~other/x']);
    expect([project, tokenFile, shell.shellRead]).toEqual([
      homedir(),
      `${homedir()}/token`,
      [`${homedir()}/.cargo`],
    ]);
    const env = { ROOTWARD_DIRECTORIES: '~/a:~/b' };
    expect((await read({}, { env })).directories).toEqual([`${homedir()}/a`, `${homedir()}/b`]);
  });

  test('with an unresolved placeholder stay as they are', async () => {
    expect((await read({}, { directories: ['${workspaceFolder}'] })).directories).toEqual([
      '${workspaceFolder}',
    ]);
  });
});

describe('the side that may name roots, over the network', () => {
  const outside: readonly ServeFlags[] = [
    { http: '0.0.0.0:0', host: ['mcp.example'] },
    { http: '192.168.0.1:80' },
    { http: '[::]:0' },
    // Loopback, but behind a proxy that others can call.
    { http: ':0', host: ['mcp.example'] },
  ];

  test.each(outside)('is never the client of %j', async (flags) => {
    for (const merge of ['union', 'client'] as const)
      await expect(read({ ...flags, merge })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        data: { where: '--merge' },
      });
    const env = { ROOTWARD_MERGE: 'union' };
    await expect(read(flags, { env })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });

  test.each(outside)('is the operator of %j', async (flags) => {
    for (const merge of ['intersect', 'operator'] as const)
      expect((await read({ ...flags, merge })).merge).toBe(merge);
  });

  test.each<ServeFlags>([{}, { http: ':0' }, { http: '[::1]:0', host: ['localhost:1'] }])(
    'may be the client on this machine: %j',
    async (flags) => {
      for (const merge of ['union', 'client'] as const)
        expect((await read({ ...flags, merge })).merge).toBe(merge);
    },
  );
});

test('shell limits of flags win over the file', async () => {
  using tree = tempTree([
    'a.json = {"shell": {"network": true, "env": ["A"], "read": ["sdk", "~/x"], "timeout": 9, "tmp": 1}}',
  ]);
  const config = tree.at('a.json');
  expect((await read({ config })).shell).toEqual({
    shellNetwork: true,
    shellEnv: ['A'],
    shellRead: [tree.at('sdk'), `${homedir()}/x`],
    shellTimeout: 9,
    shellTmp: 1,
  });
  const flags = { config, shellEnv: ['B'], shellRead: ['here'], shellTimeout: 10, shellMemory: 5 };
  expect((await read(flags)).shell).toEqual({
    shellNetwork: true,
    shellEnv: ['B'],
    shellRead: ['/here/here'],
    shellTimeout: 10,
    shellMemory: 5,
    shellTmp: 1,
  });
});

describe('an error names its origin', () => {
  const wrong = { code: 'INVALID_CONFIG' };
  test('a flag, a variable or a file', async () => {
    using tree = tempTree(['a.json = {"hosts": ["http://x/y"]}']);
    await expect(read({ host: ['http://x/y'] })).rejects.toMatchObject({
      ...wrong,
      data: { where: '--host' },
    });
    await expect(read({}, { env: { ROOTWARD_HOST: 'http://x/y' } })).rejects.toMatchObject({
      ...wrong,
      data: { where: 'ROOTWARD_HOST' },
    });
    await expect(read({ config: tree.at('a.json') })).rejects.toMatchObject({
      ...wrong,
      data: { where: `"${tree.at('a.json')}" hosts` },
    });
  });
});

test('the settings file may be given as a URI', async () => {
  using tree = tempTree(['my a.json = {"server": "files"}']);
  expect((await read({ config: `file://${tree.at('my%20a.json')}` })).server).toBe('files');
});

describe('permissions', () => {
  async function policyWith(file: string, flags: ServeFlags): Promise<unknown> {
    using tree = tempTree();
    tree.add(`a.json = {"policy": ${file}}`);
    return (await read({ ...flags, config: 'a.json' }, { cwd: tree.path })).policy;
  }

  test('of a flag are added to those of the file', async () => {
    expect(
      await policyWith('{"preset": "read-only", "deny": ["a"]}', { allow: ['write'], deny: ['b'] }),
    ).toEqual({
      preset: 'read-only',
      allow: ['write'],
      deny: ['a', 'b'],
    });
  });

  test('of the file replace the usual ones', async () => {
    expect(await policyWith('{"allow": ["list"]}', {})).toEqual({ allow: ['list'] });
  });

  test('are reduced by --read-only in every root, and denials stay', async () => {
    const file =
      '{"allow": ["write"], "secrets": true, "deny": ["a"], "roots": {"app": {"allow": ["remove"], "deny": ["b"]}}}';
    expect(await policyWith(file, { readOnly: true })).toEqual({
      preset: 'read-only',
      secrets: true,
      deny: ['a'],
      roots: { app: { deny: ['b'] } },
    });
  });

  test('that contradict each other are refused', async () => {
    await expect(read({ readOnly: true, allow: ['write'] })).rejects.toThrow('it contradicts --read-only');
  });
});

test('makes paths absolute, and leaves other settings alone', () => {
  const said = { logFile: 'a.log', shellRead: ['sdk', '/opt'], server: 'files', workers: 2, debug: true };
  expect(absolutePaths(said, '/here')).toEqual({
    ...said,
    logFile: '/here/a.log',
    shellRead: ['/here/sdk', '/opt'],
  });
});

test('expands ~ to the home directory', () => {
  expect(absolutePaths({ tokenFile: '~/token' }, '/here')).toEqual({ tokenFile: `${homedir()}/token` });
});

test('converts file URIs to paths, except for directories, which are parsed later', () => {
  const uri = 'file:///etc/my%20files.jsonc';
  expect(absolutePaths({ config: uri, project: uri, directories: [uri] }, '/here')).toEqual({
    config: '/etc/my files.jsonc',
    project: uri,
    directories: [uri],
  });
});

test('refuses a URI that is not a path', () => {
  expect(() => absolutePaths({ config: 'file://elsewhere/a.jsonc' }, '/here')).toThrow(
    expect.objectContaining({ code: 'INVALID_URI' }) as Error,
  );
});
