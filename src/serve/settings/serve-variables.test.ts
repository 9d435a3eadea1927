import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import type { CliContext } from './process-context.ts';
import type { ServeFlags } from './serve-options.ts';
import { readServeSettings, type ServeSettings } from './serve-settings.ts';
import { serveVariables } from './serve-variables.ts';

const quiet = { write: () => undefined };

/** Checks that a variable has the same meaning as its flag. */
function read(
  flags: ServeFlags = {},
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ServeSettings> {
  const context: CliContext = { process: { stdout: quiet, stderr: quiet, env }, cwd: '/here' };
  return readServeSettings(context, flags, []);
}

test.each<[name: string, value: string, flags: ServeFlags]>([
  ['PROJECT', 'app', { project: 'app' }],
  ['MERGE', 'client', { merge: 'client' }],
  ['READ_ONLY', '1', { readOnly: true }],
  ['ALLOW', 'remove,execute', { allow: ['remove', 'execute'] }],
  ['ALLOW', 'remove, execute', { allow: ['remove', 'execute'] }],
  ['DENY', '*.a,*.b', { deny: ['*.a', '*.b'] }],
  ['DENY', '*.{txt,md}, b/**,', { deny: ['*.{txt,md}', 'b/**'] }],
  ['DENY', 'a.{b,{c,d}},e', { deny: ['a.{b,{c,d}}', 'e'] }],
  ['MARKER', '.blue', { marker: ['.blue'] }],
  ['LOG_FILE', 'x.log', { logFile: 'x.log' }],
  ['DEBUG', 'true', { debug: true }],
  ['HTTP', ':0', { http: ':0' }],
  ['HTTP', '3917', { http: '3917' }],
  ['HTTP', '1', { http: '' }],
  ['HTTP', 'true', { http: '' }],
  ['HOST', 'a.example', { host: ['a.example'] }],
  ['ORIGIN', 'https://a.example', { origin: ['https://a.example'] }],
  ['TOKEN_FILE', 'token', { tokenFile: 'token' }],
  ['STORE', '0', { store: false }],
  ['NO_STORE', '1', { store: false }],
  ['SERVER', 'files', { server: 'files' }],
  ['ALLOW_UNCONFINED_SHELL', 'yes', { allowUnconfinedShell: true }],
  ['SHELL_NETWORK', '1', { shellNetwork: true }],
  ['SHELL_ENV', 'GOPATH, CARGO_HOME', { shellEnv: ['GOPATH', 'CARGO_HOME'] }],
  ['SHELL_READ', '/opt/sdk:tools', { shellRead: ['/opt/sdk', 'tools'] }],
  ['SHELL_TIMEOUT', '900', { shellTimeout: 900 }],
  ['SHELL_MEMORY', '512', { shellMemory: 512 }],
  ['SHELL_PROCESSES', '64', { shellProcesses: 64 }],
  ['SHELL_OUTPUT', '8', { shellOutput: 8 }],
  ['SHELL_TMP', '64', { shellTmp: 64 }],
  ['SHELL_CONCURRENT', '2', { shellConcurrent: 2 }],
  ['ONE_FILESYSTEM', '1', { oneFilesystem: true }],
  ['SESSIONS', 'redis://h:1', { sessions: 'redis://h:1' }],
  ['SEALING_KEY_FILE', 'keys', { sealingKeyFile: 'keys' }],
  ['WORKERS', '3', { workers: 3 }],
])('ROOTWARD_%s=%s', async (name, value, flags) => {
  const settings = await read({}, { env: { [`ROOTWARD_${name}`]: value } });
  const same = { ...settings, settingOrigins: {} };
  expect(same).toEqual(await read(flags));
  expect(same).not.toEqual(await read());
});

test('ROOTWARD_DIRECTORIES is a list like PATH', async () => {
  const { directories } = await read({}, { env: { ROOTWARD_DIRECTORIES: '/a:b' } });
  expect(directories).toEqual(['/a', '/here/b']);
});

test('a word for "no" overrides HTTP in the file', async () => {
  using tree = tempTree(['a.json = {"http": ":0"}']);
  const config = tree.at('a.json');
  expect((await read({ config })).http).toBe(':0');
  expect((await read({ config }, { env: { ROOTWARD_HTTP: '0' } })).http).toBeUndefined();
  expect((await read({ config, http: '' }, { env: { ROOTWARD_HTTP: '0' } })).http).toBe('');
});

test('a flag wins over its variable, and an empty variable is ignored', async () => {
  expect((await read({ merge: 'union' }, { env: { ROOTWARD_MERGE: 'client' } })).merge).toBe('union');
  expect((await read({}, { env: { ROOTWARD_MERGE: '' } })).merge).toBeUndefined();
});

test.each([
  ['1', '1'],
  ['0', 'no'],
])('ROOTWARD_STORE=%s and ROOTWARD_NO_STORE=%s contradict each other, as the flags do', async (yes, no) => {
  await expect(read({}, { env: { ROOTWARD_STORE: yes, ROOTWARD_NO_STORE: no } })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    data: { where: 'ROOTWARD_NO_STORE', reason: 'it contradicts ROOTWARD_STORE; say one of them' },
  });
});

test('the same value twice is not a contradiction', async () => {
  expect((await read({}, { env: { ROOTWARD_STORE: '0', ROOTWARD_NO_STORE: '1' } })).store).toBe(false);
});

test('every variable is known by name', () => {
  expect(serveVariables).toEqual(
    expect.arrayContaining([
      'ROOTWARD_DIRECTORIES',
      'ROOTWARD_STORE',
      'ROOTWARD_NO_STORE',
      'ROOTWARD_LOG_FILE',
    ]),
  );
  expect(new Set(serveVariables).size).toBe(serveVariables.length);
});

test.each([
  ['MERGE', 'both'],
  ['ALLOW', 'writ'],
  ['READ_ONLY', 'maybe'],
  ['SHELL_ENV', 'A=b'],
  ['SHELL_TIMEOUT', '0'],
  ['SHELL_MEMORY', '1.5'],
  ['SHELL_TMP', 'much'],
  ['WORKERS', 'all'],
  ['NO_STORE', 'maybe'],
])('ROOTWARD_%s=%s is refused', async (name, value) => {
  await expect(read({}, { env: { [`ROOTWARD_${name}`]: value } })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    data: { where: `ROOTWARD_${name}` },
  });
});
