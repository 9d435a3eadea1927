import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { loadServeConfig, parseServeConfig } from './serve-config.ts';
import { serveOptionList } from './serve-options.ts';

describe('settings', () => {
  test('may be empty', () => {
    expect(parseServeConfig({})).toEqual({});
  });

  test('are read as they are written', () => {
    const config = {
      directories: ['/srv/app'],
      project: '/srv/app',
      merge: 'intersect',
      policy: { preset: 'read-only', deny: ['*.sqlite'], roots: { app: { allow: ['write'] } } },
      markers: ['.blue'],
      logFile: 'rootward.log',
      debug: true,
      http: '127.0.0.1:3917',
      hosts: ['files.example'],
      origins: ['https://files.example'],
      tokenFile: 'token',
      sessions: 'redis://127.0.0.1:6379',
      sealingKeyFile: 'key',
      workers: 4,
      allowUnconfinedShell: false,
      oneFilesystem: true,
    };
    const { markers, hosts, origins, ...same } = config;
    expect(parseServeConfig(config)).toEqual({ ...same, marker: markers, host: hosts, origin: origins });
  });

  test('have a key for every flag that the policy does not cover', () => {
    const unsaid = serveOptionList.filter(([, { key }]) => key === false).map(([name]) => name);
    expect(unsaid).toEqual(['readOnly', 'allow', 'deny', 'config']);
  });

  test('have the shell options of the flags', () => {
    const shell = {
      network: true,
      env: ['GOPATH', '_x1'],
      read: ['~/.cargo', '/opt/sdk'],
      timeout: 900,
      memory: 8_192,
      processes: 64,
      output: 16,
      tmp: 2_048,
      concurrent: 2,
    };
    expect(parseServeConfig({ shell })).toEqual({
      shellNetwork: true,
      shellEnv: shell.env,
      shellRead: shell.read,
      shellTimeout: 900,
      shellMemory: 8_192,
      shellProcesses: 64,
      shellOutput: 16,
      shellTmp: 2_048,
      shellConcurrent: 2,
    });
  });

  test.each<[title: string, value: unknown, where: string, reason: RegExp]>([
    [
      'an unknown key',
      { directorys: [] },
      'directorys',
      /^it is unknown \(did you mean "directories"\?\); keys are: directories,/,
    ],
    ['a list that is none', { directories: '/srv' }, 'directories', /^it is a string, not a list$/],
    ['a mode that is none', { merge: 'both' }, 'merge', /^it is "both"; use one of: union,/],
    [
      'a policy with a misspelled key',
      { policy: { alow: [] } },
      'policy.alow',
      /^it is unknown \(did you mean "allow"\?\); keys are: preset,/,
    ],
    ['a policy with a glob that is none', { policy: { deny: ['!x'] } }, 'policy.deny[0]', /./],
    ['a switch that is a text', { debug: 'yes' }, 'debug', /^it is a string, not true or false$/],
    ['half a process', { workers: 0.5 }, 'workers', /^it is not a whole number from 1 to 999$/],
    [
      'an unknown key about the shell',
      { shell: { networ: true } },
      'shell.networ',
      /^it is unknown \(did you mean "network"\?\); keys are: network,/,
    ],
    ['a word for yes', { shell: { network: 'yes' } }, 'shell.network', /not true or false$/],
    ['a variable with its value', { shell: { env: ['A=b'] } }, 'shell.env[0]', /not the name of/],
    ['a time without an end', { shell: { timeout: 0 } }, 'shell.timeout', /from 1 to 86400$/],
    ['half a second', { shell: { timeout: 0.5 } }, 'shell.timeout', /whole number/],
    ['more than a day', { shell: { timeout: 86_401 } }, 'shell.timeout', /whole number/],
    ['a number in words', { shell: { memory: '512' } }, 'shell.memory', /whole number/],
    ['a list about the shell', { shell: [] }, 'shell', /^it is a list, not an object/],
    ['a key of a flag', { shellNetwork: true }, 'shellNetwork', /^it is unknown/],
    ['a list at the top', [], 'at the top', /^it is a list, not an object/],
  ])('are refused with %s', (_title, value, where, reason) => {
    expect(() => parseServeConfig(value)).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        data: { where, reason: expect.stringMatching(reason) as unknown },
      }) as Error,
    );
  });
});

test('reads a file with comments and trailing commas', async () => {
  using tree = tempTree();
  tree.add('a.jsonc = { /* mine */ "merge": "client", }');
  expect(await loadServeConfig(tree.at('a.jsonc'))).toEqual({ merge: 'client' });
});

test.each<[title: string, text: string, place: string, reason: string]>([
  ['what is not JSON', '{\n  "merge" "client"\n}', ':2:11', 'colon expected'],
  ['a mistake, with line and column', '{\n  "merge": "both"\n}', ':2:12 merge', 'it is "both"'],
  ['a mistake within the policy', '{"policy": {\n "deny": ["ok", "!x"]}}', ':2:17 policy.deny[1]', ''],
  ['a mistake at a root with spaces', '{"policy": {"roots": {"my app": {"x": 1}}}}', ':1:39', 'unknown'],
  ['nothing', '', ':1:1', 'value expected'],
])('points at %s', async (_title, text, place, reason) => {
  using tree = tempTree();
  tree.add(`a.jsonc = ${text}`);
  await expect(loadServeConfig(tree.at('a.jsonc'))).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    data: {
      where: expect.stringContaining(`${tree.at('a.jsonc')}${place}`) as unknown,
      reason: expect.stringContaining(reason) as unknown,
    },
  });
});

test('names a missing file', async () => {
  using tree = tempTree();
  await expect(loadServeConfig(tree.at('none.jsonc'))).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    data: { where: tree.at('none.jsonc'), reason: 'Cannot read "none.jsonc": it does not exist' },
  });
});
