import { readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../src/testing/index.ts';
import { serveCommand } from './command.ts';
import { converse, initialize } from './converse.ts';
import { speak, type SpeakOptions, type Spoken } from './speak.ts';

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
  return { readable, ...(!refused && { project: text }) };
}

/** A flag and its twin in the environment, with `$TREE` for the tree; what can be reached then. */
const reaches: readonly (readonly [string, Twin, { roots?: readonly string[] }, object])[] = [
  [
    'directories, and the roots of the client on top',
    { args: ['$TREE/lib', '$TREE/docs'], env: { ROOTWARD_DIRECTORIES: `$TREE/lib${delimiter}$TREE/docs` } },
    { roots: ['$TREE/app'] },
    { readable: ['app', 'lib', 'docs'], project: 'app' },
  ],
  [
    'a project, whatever the client says',
    { args: ['--project', '$TREE/lib'], env: { ROOTWARD_PROJECT: '$TREE/lib' } },
    { roots: ['$TREE/app'] },
    { readable: ['app', 'lib'], project: 'library' },
  ],
  [
    'directories as the most that a client can get',
    {
      args: ['$TREE/lib', '--merge', 'intersect'],
      env: { ROOTWARD_DIRECTORIES: '$TREE/lib', ROOTWARD_MERGE: 'intersect' },
    },
    { roots: ['$TREE/app', '$TREE/lib'] },
    { readable: ['lib'], project: 'library' },
  ],
  [
    'directories that a client cannot change',
    {
      args: ['$TREE/lib', '--merge', 'operator'],
      env: { ROOTWARD_DIRECTORIES: '$TREE/lib', ROOTWARD_MERGE: 'operator' },
    },
    { roots: ['$TREE/app'] },
    { readable: ['lib'], project: 'library' },
  ],
  [
    'directories that count for nothing beside the roots of the client',
    {
      args: ['$TREE/lib', '--merge', 'client'],
      env: { ROOTWARD_DIRECTORIES: '$TREE/lib', ROOTWARD_MERGE: 'client' },
    },
    { roots: ['$TREE/app'] },
    { readable: ['app'], project: 'app' },
  ],
];

interface Twin {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

describe.each(reaches)('%s', (_title, twin, { roots }, expected) => {
  test.each(['args', 'env'] as const)('by %s', async (way) => {
    using files = tempTree(tree);
    const options = { roots: roots?.map((path) => `file://${path}`), [way]: twin[way] };
    const placed = JSON.parse(JSON.stringify(options).replaceAll('$TREE', files.path)) as SpeakOptions;
    await using server = await speak(placed);
    expect(await reachOf(server, files)).toEqual(expected);
  });
});

const writers = ['write_file', 'edit_file', 'create_directory', 'move_file', 'copy_file'];

describe('which tools are offered depends on what is allowed', () => {
  test('by default reading, listing and writing are', async () => {
    using files = tempTree(tree);
    await using server = await speak({ args: [files.at('app')] });
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

  test.each([
    ['args', { args: ['--read-only'] }],
    ['env', { env: { ROOTWARD_READ_ONLY: '1' } }],
  ])('read-only offers no tool that writes: %s', async (_way, options) => {
    using files = tempTree(tree);
    await using server = await speak({ ...options, roots: [`file://${files.at('app')}`] });
    const tools = await toolsOf(server);
    for (const name of [...writers, 'remove_file']) expect(tools).not.toContain(name);
    await server.call('write_file', { path: 'a.txt', content: 'changed' });
    expect(readFileSync(files.at('app/a.txt'), 'utf8')).toBe('app');
  });

  test.each([
    ['args', { args: ['--allow', 'remove'] }],
    ['env', { env: { ROOTWARD_ALLOW: 'remove' } }],
  ])('what is allowed on top is offered, and works: %s', async (_way, options) => {
    using files = tempTree(tree);
    await using server = await speak({ ...options, roots: [`file://${files.at('app')}`] });
    expect(await toolsOf(server)).toContain('remove_file');
    expect(await server.call('remove_file', { path: 'a.txt' })).toMatchObject({ refused: false });
    expect(() => statSync(files.at('app/a.txt'))).toThrow('ENOENT');
  });
});

test.each([
  ['args', { args: ['--deny', '*.sqlite', '--deny', 'b/**'] }],
  ['env', { env: { ROOTWARD_DENY: '*.sqlite,b/**' } }],
])('what is denied can neither be read nor written nor seen: %s', async (_way, options) => {
  using files = tempTree([...tree, 'lib/b/c.txt = deep', 'lib/.env = SECRET=1']);
  await using server = await speak({ ...options, roots: [`file://${files.at('lib')}`] });
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
    await using server = await speak({ args: ['--config', files.at('etc/serve.jsonc')] });
    expect(await reachOf(server, files)).toEqual({ readable: ['lib', 'docs'], project: 'library' });
    expect(await toolsOf(server)).not.toContain('write_file');
    expect(await server.call('read_text_file', { path: 'x.sqlite' })).toMatchObject({ code: 'DENIED' });
    expect(statSync(files.at('etc/steps.log')).mode & 0o777).toBe(0o600);
    await using other = await speak({
      args: [files.at('app')],
      env: { ROOTWARD_CONFIG: files.at('etc/serve.jsonc') },
    });
    expect(await reachOf(other, files)).toEqual({ readable: ['app'], project: 'app' });
  });

  test.each([
    ['with a mistake in its form', '{\n  "directories": ["a" "b"]\n}', ':2:23'],
    ['with a key that nobody knows', '{\n  "directory": ["a"]\n}', ':2:'],
    ['with a rule that cannot be read', '{\n  "policy": {\n    "deny": [5]\n  }\n}', ':3:14'],
  ])('%s refuses to start, with line and column', async (_title, text, place) => {
    using files = tempTree([`bad.jsonc = ${text}`]);
    using command = serveCommand({ args: ['--config', files.at('bad.jsonc')] });
    const { stdout, stderr, code } = await converse(command, [initialize]);
    expect(stderr).toContain(`${files.at('bad.jsonc')}${place}`);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test.each([
    ['a file that is not there', { args: ['--config', '/nowhere/x.jsonc'] }, '/nowhere/x.jsonc'],
    ['a flag against another', { args: ['--read-only', '--allow', 'write'] }, '--allow'],
    ['a variable that says nothing known', { env: { ROOTWARD_MERGE: 'both' } }, 'ROOTWARD_MERGE'],
    ['an operation that is none', { args: ['--allow', 'fly'] }, 'fly'],
    ['a glob that would take for ever', { args: ['--deny', '{a,b}'.repeat(22)] }, 'deny[0]'],
    ['a placeholder that the client did not fill in', { args: ['${workspaceFolder}'] }, '${workspaceFolder}'],
    ['such a placeholder for the project', { env: { ROOTWARD_PROJECT: '${HERE}/x' } }, '${HERE}'],
    ['a marker that is none', { args: ['--marker', 'a/../b'] }, 'a/../b'],
    ['a log that cannot be written', { args: ['--log-file', '/proc/no/steps.log'] }, '/proc/no/steps.log'],
    ['a home that is not absolute', { env: { ROOTWARD_HOME: 'here' } }, 'ROOTWARD_HOME'],
    ['an address that is none', { args: ['--http', 'a b:x'] }, '--http'],
  ])('%s refuses to start', async (_title, options, named) => {
    using command = serveCommand(options);
    const { stdout, stderr, code } = await converse(command, [initialize]);
    expect(stderr).toContain(named);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

test.each([
  ['args', (file: string) => ({ args: ['--log-file', file] })],
  ['env', (file: string) => ({ env: { ROOTWARD_LOG_FILE: file } })],
])('what happens is appended to the log file: %s', async (_way, options) => {
  using files = tempTree([...tree, 'steps.log = before\n']);
  await using server = await speak({
    ...options(files.at('steps.log')),
    roots: [`file://${files.at('app')}`],
  });
  await server.call('read_text_file', { path: 'a.txt' });
  const lines = readFileSync(files.at('steps.log'), 'utf8').trimEnd().split('\n');
  expect(lines[0]).toBe('before');
  expect(lines.slice(1).map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ kind: 'answered', state: 'listed', roots: 1, time: expect.any(String) }),
  );
});

test('every decision is in the audit log of the person, refusals too', async () => {
  using files = tempTree(tree);
  await using server = await speak({ args: [files.at('app')], env: { ROOTWARD_DEBUG: '1' } });
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
  await using server = await speak({ args: [files.at('app')], env: { ROOTWARD_HOME: files.at('home') } });
  expect(await server.call('read_text_file', { path: 'a.txt' })).toMatchObject({ text: 'app' });
  expect(server.wire.stderr()).toContain('decisions are kept in memory only');
});
