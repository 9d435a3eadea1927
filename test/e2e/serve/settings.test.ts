import { readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { serveCommand } from '../../support/processes/command.ts';
import { converse, initialize } from '../../support/processes/converse.ts';
import { speakHere, type Spoken } from '../../support/processes/speak.ts';

const tree = [
  'app/a.txt = app',
  'lib/a.txt = library',
  'lib/x.sqlite = rows',
  'docs/a.txt = documents',
] as const;

async function toolsOf({ player }: Spoken): Promise<readonly string[]> {
  const reply = await player.request('tools/list');
  if (reply.kind !== 'result') throw new Error(JSON.stringify(reply));
  return (reply.result['tools'] as readonly { name: string }[]).map(({ name }) => name);
}

/** What can be read by its absolute path, and what a relative one means. */
async function reachOf(server: Spoken, files: TempTree): Promise<object> {
  const readable = [];
  for (const name of ['app', 'lib', 'docs'])
    if (!(await server.call('read_text_file', { path: files.at(name, 'a.txt') })).refused)
      readable.push(name);
  const { refused, text } = await server.call('read_text_file', { path: 'a.txt' });
  // Of several directories the first is a guess, and the answer says so in a line of its own.
  return { readable, ...(!refused && { project: text.split('\n')[0] }) };
}

/** Arguments, with `$TREE` for the tree; what the client lists; what can be reached then. */
const reaches: readonly (readonly [string, readonly string[], readonly string[], object])[] = [
  [
    'directories are reached, and the roots of the client on top',
    ['$TREE/lib', '$TREE/docs'],
    ['app'],
    { readable: ['app', 'lib', 'docs'], project: 'app' },
  ],
  [
    'a project is one, whatever the client says',
    ['--project', '$TREE/lib'],
    ['app'],
    { readable: ['app', 'lib'], project: 'library' },
  ],
  [
    'directories are the most that a client can get',
    ['$TREE/lib', '--merge', 'intersect'],
    ['app', 'lib'],
    { readable: ['lib'], project: 'library' },
  ],
  [
    'directories are what a client cannot change',
    ['$TREE/lib', '--merge', 'operator'],
    ['app'],
    { readable: ['lib'], project: 'library' },
  ],
  [
    'directories count for nothing beside the roots of the client',
    ['$TREE/lib', '--merge', 'client'],
    ['app'],
    { readable: ['app'], project: 'app' },
  ],
];

test.each(reaches)('%s', async (_title, args, roots, expected) => {
  using files = tempTree(tree);
  await using server = await speakHere({
    args: args.map((text) => text.replace('$TREE', files.path)),
    roots: roots.map((name) => `file://${files.at(name)}`),
  });
  expect(await reachOf(server, files)).toEqual(expected);
});

test('what flags can say, the environment can say too', async () => {
  using files = tempTree([...tree, 'lib/.env = SECRET=1']);
  const variables = {
    DIRECTORIES: `${files.at('lib')}${delimiter}${files.at('docs')}`,
    PROJECT: files.at('docs'),
    MERGE: 'intersect',
    READ_ONLY: '1',
    DENY: '*.sqlite,b/**',
    LOG_FILE: files.at('steps.log'),
    DEBUG: '1',
  };
  const env = Object.fromEntries(Object.entries(variables).map(([name, text]) => [`ROOTWARD_${name}`, text]));
  await using server = await speakHere({
    env,
    roots: ['app', 'lib', 'docs'].map((name) => `file://${files.at(name)}`),
  });
  expect(await reachOf(server, files)).toEqual({ readable: ['lib', 'docs'], project: 'documents' });
  expect(await toolsOf(server)).not.toContain('write_file');
  const denied = { refused: true, code: 'DENIED' };
  expect(await server.call('read_text_file', { path: files.at('lib/x.sqlite') })).toMatchObject(denied);
  expect(readFileSync(files.at('steps.log'), 'utf8')).toContain('"kind":"composed"');
});

test('a flag goes before a variable', async () => {
  using files = tempTree(tree);
  const env = { ROOTWARD_DIRECTORIES: files.at('lib'), ROOTWARD_ALLOW: 'remove' };
  await using server = await speakHere({ env, args: [files.at('app')] });
  expect(await reachOf(server, files)).toEqual({ readable: ['app'], project: 'app' });
  expect(await toolsOf(server)).toContain('remove_file');
});

const writers = ['write_file', 'edit_file', 'create_directory', 'move_file', 'copy_file'];

describe('which tools are offered depends on what is allowed', () => {
  test('by default reading, listing and writing are', async () => {
    using files = tempTree(tree);
    await using server = await speakHere({ args: [files.at('app')] });
    const tools = await toolsOf(server);
    expect(tools).toEqual(
      expect.arrayContaining([...writers, 'read_text_file', 'list_directory', 'list_roots']),
    );
    expect(tools).not.toContain('remove_file');
    expect(tools).not.toContain('shell');
    const { refused, text } = await server.call('remove_file', { path: 'a.txt' });
    expect(refused).toBe(true);
    expect(text).toContain('not found');
    expect(statSync(files.at('app/a.txt')).isFile()).toBe(true);
  });

  test('read-only offers no tool that writes', async () => {
    using files = tempTree(tree);
    await using server = await speakHere({ args: ['--read-only'], roots: [`file://${files.at('app')}`] });
    const tools = await toolsOf(server);
    for (const name of [...writers, 'remove_file']) expect(tools).not.toContain(name);
    await server.call('write_file', { path: 'a.txt', content: 'changed' });
    expect(readFileSync(files.at('app/a.txt'), 'utf8')).toBe('app');
  });

  test('what is allowed on top is offered, and works', async () => {
    using files = tempTree(tree);
    await using server = await speakHere({
      args: ['--allow', 'remove'],
      roots: [`file://${files.at('app')}`],
    });
    expect(await toolsOf(server)).toContain('remove_file');
    expect(await server.call('remove_file', { path: 'a.txt' })).toMatchObject({ refused: false });
    expect(() => statSync(files.at('app/a.txt'))).toThrow('ENOENT');
  });
});

test('what is denied can neither be read nor written nor found', async () => {
  using files = tempTree([...tree, 'lib/b/c.txt = deep', 'lib/.env = SECRET=1']);
  const args = ['--deny', '*.sqlite', '--deny', 'b/**'];
  await using server = await speakHere({ args, roots: [`file://${files.at('lib')}`] });
  expect(await server.call('read_text_file', { path: 'a.txt' })).toMatchObject({ text: 'library' });
  for (const path of ['x.sqlite', 'b/c.txt', '.env']) {
    expect(await server.call('read_text_file', { path })).toMatchObject({ refused: true, code: 'DENIED' });
    expect(await server.call('write_file', { path, content: '' })).toMatchObject({ refused: true });
  }
  expect((await server.call('search_text', { pattern: 'rows|deep|SECRET' })).text).toBe('No matches found');
});

describe('a file of settings', () => {
  test('says all of it, from its own directory on, and flags go before it', async () => {
    const settings = `{
      // What may be reached.
      "directories": ["../lib", "../docs"],
      "policy": { "preset": "read-only", "deny": ["*.sqlite"] },
      "logFile": "steps.log",
    }`;
    using files = tempTree([...tree, `etc/serve.jsonc = ${settings}`]);
    await using server = await speakHere({ args: ['--config', files.at('etc/serve.jsonc')] });
    expect(await reachOf(server, files)).toEqual({ readable: ['lib', 'docs'], project: 'library' });
    expect(await toolsOf(server)).not.toContain('write_file');
    expect(await server.call('read_text_file', { path: 'x.sqlite' })).toMatchObject({ code: 'DENIED' });
    expect(statSync(files.at('etc/steps.log')).mode & 0o777).toBe(0o600);
    await using other = await speakHere({
      args: [files.at('app')],
      env: { ROOTWARD_CONFIG: files.at('etc/serve.jsonc') },
    });
    expect(await reachOf(other, files)).toEqual({ readable: ['app'], project: 'app' });
  });

  test('with a mistake refuses to start, with line and column', async () => {
    using files = tempTree(['bad.jsonc = {\n  "policy": {\n    "deny": [5]\n  }\n}']);
    using command = serveCommand({ args: ['--config', files.at('bad.jsonc')] });
    const { stdout, stderr, code } = await converse(command, [initialize]);
    expect(stderr).toContain(`${files.at('bad.jsonc')}:3:14`);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

test('what happens is appended to the log file', async () => {
  using files = tempTree([...tree, 'steps.log = before\n']);
  const args = ['--log-file', files.at('steps.log')];
  await using server = await speakHere({ args, roots: [`file://${files.at('app')}`] });
  await server.call('read_text_file', { path: 'a.txt' });
  const lines = readFileSync(files.at('steps.log'), 'utf8').trimEnd().split('\n');
  expect(lines[0]).toBe('before');
  expect(lines.slice(1).map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ kind: 'answered', state: 'listed', roots: 1, time: expect.any(String) }),
  );
});

test('every decision is in the audit log of the person, refusals too', async () => {
  using files = tempTree(tree);
  await using server = await speakHere({ args: [files.at('app')], env: { ROOTWARD_DEBUG: '1' } });
  await server.call('read_text_file', { path: 'a.txt' });
  await server.call('read_text_file', { path: files.at('lib/a.txt') });
  const lines = readFileSync(join(server.home, 'log/audit.jsonl'), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { operation: 'read', outcome: expect.stringMatching(/allow|done|ok/) },
    { operation: 'read' },
  ]);
  expect(server.wire.stderr()).toContain('debug.log');
});

test('without a place for the audit log it serves, and says where decisions are kept', async () => {
  using files = tempTree([...tree, 'home = a file']);
  await using server = await speakHere({ args: [files.at('app')], env: { ROOTWARD_HOME: files.at('home') } });
  expect(await server.call('read_text_file', { path: 'a.txt' })).toMatchObject({ text: 'app' });
  expect(server.wire.stderr()).toContain('decisions are kept in memory only');
});
