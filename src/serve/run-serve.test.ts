import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runInMemory } from '../../test/support/processes/run-in-memory.ts';
import { startHttp } from '../../test/support/http/start-http.ts';
import { tempTree } from '../testing/temp-tree.ts';

describe('refuses to start', () => {
  const bomb = '{a,b}'.repeat(22);
  test.each([
    ['a file of settings that is not there', ['--config', 'nothing.jsonc'], {}, 'nothing.jsonc'],
    ['a file with a mistake in its form', ['--config', 'form.jsonc'], {}, 'form.jsonc:2:11'],
    ['a file with an unknown key', ['--config', 'key.jsonc'], {}, 'key.jsonc:1:'],
    ['a flag against another', ['--read-only', '--allow', 'write'], {}, '--allow'],
    ['a variable that says nothing known', [], { ROOTWARD_MERGE: 'both' }, 'ROOTWARD_MERGE'],
    ['a glob that would take for ever', ['--deny', bomb], {}, 'deny[0]'],
    ['a placeholder that the client did not fill in', ['${workspaceFolder}'], {}, '${workspaceFolder}'],
    ['such a placeholder for the project', [], { ROOTWARD_PROJECT: '${HERE}/x' }, '${HERE}'],
    ['a marker that is none', ['--marker', 'a/../b'], {}, 'a/../b'],
    ['a log that cannot be written', ['--log-file', 'key.jsonc/steps.log'], {}, 'key.jsonc/steps.log'],
    ['such a log in a variable', [], { ROOTWARD_LOG_FILE: 'key.jsonc/x' }, 'ROOTWARD_LOG_FILE: nothing can'],
    ['such a log in a file', ['--config', 'log.jsonc'], {}, 'log.jsonc" logFile: nothing can be written'],
    ['a host with a scheme', ['--http', ':0', '--host', 'http://x/y'], {}, '--host'],
    ['a switch on and off', [], { ROOTWARD_STORE: '1', ROOTWARD_NO_STORE: '1' }, 'ROOTWARD_NO_STORE'],
    ['a home that is not absolute', [], { ROOTWARD_HOME: 'here' }, 'ROOTWARD_HOME'],
    ['an address that is none', ['--http', 'a b:x'], {}, '--http'],
  ])('with %s', async (_title, argv, env, named) => {
    using tree = tempTree([
      'form.jsonc = {\n  "a": [1 2]\n}',
      'key.jsonc = { "directory": ["a"] }',
      'log.jsonc = {"logFile": "key.jsonc/x"}',
    ]);
    const home = { ROOTWARD_HOME: tree.at('home') };
    const { code, stdout, stderr } = await runInMemory(tree.path, ['serve', ...argv], { ...home, ...env });
    expect(stderr).toContain(named);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

test('serves over HTTP if asked to, and ends on a signal', async () => {
  await using server = await startHttp();
  expect((await fetch(new URL('/healthz', server.url))).status).toBe(200);
  process.kill(server.pid, 'SIGTERM');
  expect(await server.ended).toBe(0);
});

test('looks for files of killed writers only where it may write', async () => {
  using tree = tempTree(['app/', 'logs/']);
  const logging = (name: string): readonly string[] => [tree.at('app'), '--log-file', tree.at('logs', name)];
  await using reader = await startHttp({ args: [...logging('reader'), '--read-only'] });
  // This one starts later: when it is done, the other one would be, too.
  await using writer = await startHttp({ args: logging('writer') });
  const readLog = (name: string): string => readFileSync(tree.at('logs', name), 'utf8');
  await expect.poll(() => readLog('writer'), { timeout: 20_000 }).toContain('"kind":"swept"');
  expect(readLog('reader')).not.toContain('"kind":"swept"');
  expect([reader.pid, writer.pid]).not.toContain(0);
});
