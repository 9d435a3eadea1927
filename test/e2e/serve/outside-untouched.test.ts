import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempTree, type TempTree } from '../../../src/testing/index.ts';
import { connectClient } from '../../support/http/clients.ts';
import { call, converse } from '../../support/processes/converse.ts';
import { serveCommand } from '../../support/processes/command.ts';
import { speak, speakHere, type Spoken } from '../../support/processes/speak.ts';
import { startHttp } from '../../support/http/start-http.ts';

/*
 * A text from a client or a model is placed among the roots before the disk is asked about it. Otherwise the answer,
 * or the time it takes, tells what is there, and a mere question mounts a network disk.
 */

const word = 'SECRET-PLACE';

interface Recorded {
  readonly node: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What the program asked the system about outside of the roots. */
  readonly touched: () => string;
}

function record(tree: TempTree): Recorded {
  const file = tree.at('touched.txt');
  return {
    node: ['--import', fileURLToPath(new URL('../../support/processes/record-touches.mjs', import.meta.url))],
    env: { TOUCHED_WORD: word, TOUCHED_FILE: file },
    touched: () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
  };
}

function newTree(): TempTree {
  return tempTree([
    'app/a.txt = a',
    'app/out => ../SECRET-PLACE/there',
    'app/gone => ../SECRET-PLACE/gone',
    'SECRET-PLACE/there/b.txt',
  ]);
}

/** Everything that takes a path, with one that is outside. */
async function ask(server: Spoken, path: string): Promise<readonly string[]> {
  const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['list_directory', { path }],
    ['get_file_info', { path }],
    ['search_files', { path, pattern: 'b' }],
    ['project_info', { path }],
    ['check_path', { path, operation: 'read' }],
    ['why', { cwd: path }],
    ['write_file', { path: 'new.txt', content: 'x', cwd: path }],
    ['read_text_file', { path: 'a.txt', project: path }],
    ['list_roots', { cwd: path }],
    ['switch_project', { project: path }],
    ['switch_project', { project: `file://${path}` }],
    ['why', { cwd: `file://${path}#x` }],
  ];
  const answers: string[] = [];
  for (const [tool, input] of calls)
    answers.push(
      (await server.call(tool, input)).text
        .replaceAll(path, 'PATH')
        .replaceAll(`"${basename(path)}"`, '"PATH"'),
    );
  return answers;
}

test('no argument of a call makes the server look outside, and what is there makes no difference', async () => {
  using tree = newTree();
  const recorded = record(tree);
  await using server = await speak({ args: [tree.at('app')], ...recorded });
  const there = await ask(server, tree.at(word, 'there'));
  const gone = await ask(server, tree.at(word, 'gone'));
  expect(there).toEqual(gone);
  expect(recorded.touched()).toBe('');
});

test('a link in a root that leads out tells as little', async () => {
  using tree = newTree();
  await using server = await speakHere({ args: [tree.at('app')] });
  const there = await ask(server, tree.at('app/out'));
  expect(there).toEqual(await ask(server, tree.at('app/gone')));
});

test('neither do roots and metadata of a client over HTTP', async () => {
  using tree = newTree();
  const recorded = record(tree);
  await using listening = await startHttp({ args: [tree.at('app')], ...recorded });
  const { url, token } = listening;
  const roots = (): { uri: string }[] => [
    { uri: `file://${tree.at(word, 'there')}` },
    { uri: `file://${tree.at('app')}` },
  ];
  for (const kind of ['v2 in 2025', 'v2 in 2026'] as const) {
    await using client = await connectClient(kind, { url, token, roots });
    expect(await client.call('read_text_file', { path: tree.at('app/a.txt') })).toBe('a');
    await expect(client.call('why', { cwd: tree.at(word, 'there') })).rejects.toThrow('outside the roots');
  }
  expect(recorded.touched()).toBe('');
});

test('nor what a client says when it introduces itself, and with each request', async () => {
  using tree = newTree();
  const recorded = record(tree);
  using command = serveCommand({ args: [tree.at('app'), '--merge', 'operator'], ...recorded });
  const path = tree.at(word, 'there');
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'goose', version: '1' },
    workspaceFolders: [{ uri: `file://${path}` }],
    rootUri: `file://${path}`,
  };
  const read = call('read_text_file', { path: 'a.txt' }) as { params: object };
  const withMeta = { ...read, params: { ...read.params, _meta: { 'agent-working-dir': path } } };
  const { stdout } = await converse(command, [{ method: 'initialize', params }, withMeta]);
  expect(stdout).toContain('"a"');
  expect(recorded.touched()).toBe('');
});

test('negative control: what a client lists as its root on stdio is looked at, and that is recorded', async () => {
  using tree = newTree();
  const recorded = record(tree);
  await using server = await speak({ roots: [`file://${tree.at(word, 'there')}`], ...recorded });
  expect((await server.call('list_directory', { path: '.' })).text).toContain('b.txt');
  expect(recorded.touched()).not.toBe('');
});
