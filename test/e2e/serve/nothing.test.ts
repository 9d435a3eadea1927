import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { difficultClients, tempTree } from '../../../src/testing/index.ts';
import { allTools } from '../../../src/tools/all-tools.ts';
import { connectHere } from '../../support/processes/connect.ts';
import { speakHere } from '../../support/processes/speak.ts';

/** Enough for each tool to get as far as a path. */
const args = {
  path: 'a.txt',
  paths: ['a.txt'],
  pattern: '*',
  globs: ['*'],
  content: 'x',
  edits: [{ oldText: 'a', newText: 'b' }],
  source: 'a.txt',
  destination: 'b.txt',
  operation: 'read',
};

/** What becomes of each path is their answer. */
const answersAnyway = new Set(['read_multiple_files', 'check_path']);

function lastLine(home: string): unknown {
  return JSON.parse(readFileSync(join(home, 'log/audit.jsonl'), 'utf8').trimEnd().split('\n').at(-1) ?? '');
}

test('with nothing usable every tool says what to do, and why tells what was tried', async () => {
  await using server = await speakHere({ args: ['--allow', 'remove'] });
  for (const { name } of allTools) {
    const { refused, text } = await server.call(name, args);
    expect({ name, refused }).toEqual({ name, refused: !answersAnyway.has(name) });
    expect({ name, text }).toEqual({ name, text: expect.stringContaining('start it with --project DIR') });
    // Each refusal leaves a line that says what the client was told, also where no path was reached.
    const code = 'PROJECT_NOT_FOUND';
    expect(lastLine(server.home)).toMatchObject({ tool: name, verdict: 'deny', outcome: 'refused', code });
  }
  const { text } = await server.call('why');
  for (const tried of ['the client does not support roots', 'it is a whole file system'])
    expect(text).toContain(tried);
  expect(server.wire.stderr()).toBe('');
});

test('it recovers when roots arrive', async () => {
  using files = tempTree(['app/a.txt = inside']);
  await using server = await speakHere({ roots: [] });
  expect(await server.call('read_text_file', { path: 'a.txt' })).toMatchObject({ refused: true });
  await server.change(`file://${files.at('app')}`);
  expect(await server.call('read_text_file', { path: 'a.txt' })).toEqual({ refused: false, text: 'inside' });
});

test('it recovers when roots arrive, on a client of 2026-07-28', async () => {
  using files = tempTree(['app/a.txt = inside']);
  await using client = await connectHere('v2 in 2026', { roots: [] });
  expect(await client.call('read_text_file', { path: 'a.txt' })).toMatchObject({ isError: true });
  await client.change([files.at('app')]).catch(() => undefined);
  expect(await client.call('read_text_file', { path: 'a.txt' })).toMatchObject({
    isError: false,
    text: 'inside',
  });
});

test.concurrent('it recovers when the directory that was named comes into being', async ({ expect }) => {
  using files = tempTree([]);
  await using server = await speakHere({ args: [files.at('later')] });
  expect(await server.call('read_text_file', { path: 'a.txt' })).toMatchObject({ refused: true });
  files.add('later/a.txt = inside');
  await expect
    .poll(() => server.call('read_text_file', { path: 'a.txt' }), { timeout: 20_000 })
    .toEqual({
      refused: false,
      text: 'inside',
    });
});

test.concurrent('a directory that does not exist is said to be so', async () => {
  using files = tempTree([]);
  await using server = await speakHere({ args: [files.at('gone')], client: difficultClients.empty });
  const { refused, text } = await server.call('list_directory', { path: '.' });
  expect(refused).toBe(true);
  expect(text).toContain('gone');
});
