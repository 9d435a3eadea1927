import type { Client } from '@modelcontextprotocol/client';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tempTree } from '../../../src/testing/index.ts';
import { type Start, startDifferences } from '../../support/peers/contract-differences.ts';
import {
  type Arguments,
  type ServedTree,
  serveOurs,
  serveReference,
} from '../../support/peers/two-servers.ts';
import { type OwnCommand, referenceCommand, serveCommand } from '../../support/processes/command.ts';
import { call, converse, initialize, messagesIn } from '../../support/processes/converse.ts';

/* What the reference server publishes as tests of its command from outside, as facts of our own: each is shown to
   hold for it, and then for ours. */

const tree = ['app/test.txt = test content', 'app/subdir/nested.txt = nested content'];

let servers: readonly ServedTree[];

beforeAll(async () => {
  servers = await Promise.all([serveReference(tree), serveOurs(tree)]);
});

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
});

interface Result {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: { readonly content?: unknown };
}

/** Of both, theirs first. */
async function callBoth(tool: string, input: Arguments, before?: Before): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const server of servers) {
    server.reset();
    if (before !== undefined) writeFileSync(join(server.root, before.name), before.bytes);
    results.push((await server.call(tool, input)) as Result);
  }
  return results;
}

interface Before {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Tools whose structured content is one text, equal to what a model reads, and what is in it. */
const texts: readonly (readonly [tool: string, input: Arguments, holds: string])[] = [
  ['directory_tree', { path: '$TREE/app' }, '"nested.txt"'],
  ['list_directory_with_sizes', { path: '$TREE/app' }, '[FILE]'],
  ['move_file', { source: '$TREE/app/test.txt', destination: '$TREE/app/moved.txt' }, 'Successfully moved'],
  ['list_directory', { path: '$TREE/app' }, '[DIR] subdir'],
  ['search_files', { path: '$TREE/app', pattern: '*.txt' }, 'test.txt'],
];

test.each(texts)('the structured content of %s is a text', async (tool, input, holds) => {
  for (const { structuredContent, content } of await callBoth(tool, input)) {
    expect(structuredContent?.content).toBeTypeOf('string');
    expect(structuredContent?.content).toContain(holds);
    expect(content).toEqual([{ type: 'text', text: structuredContent?.content }]);
  }
});

test('a tree of directories is a list in JSON', async () => {
  for (const { structuredContent } of await callBoth('directory_tree', { path: '$TREE/app' }))
    expect(JSON.parse(structuredContent?.content as string)).toBeInstanceOf(Array);
});

const bytesOf = (...bytes: readonly number[]): Uint8Array => Uint8Array.from(bytes);

/** Files, and the one block that each is read as. Only the ending of the name counts. */
const media: readonly (readonly [name: string, bytes: Uint8Array, block: object])[] = [
  ['pixel.png', bytesOf(0x89, 0x50, 0x4e, 0x47), { type: 'image', mimeType: 'image/png' }],
  ['clip.mp3', bytesOf(0x49, 0x44, 0x33, 0x04), { type: 'audio', mimeType: 'audio/mpeg' }],
  ['data.bin', bytesOf(0x00, 0x01, 0xff, 0xfe), { type: 'resource' }],
  ['my café.bin', bytesOf(0x10, 0x20), { type: 'resource' }],
];

test.each(media)(
  '%s is read as one block that has its bytes, told twice in the same way',
  async (...entry) => {
    const [name, bytes, block] = entry;
    const path = `$TREE/app/${name}`;
    for (const { content, structuredContent } of await callBoth(
      'read_media_file',
      { path },
      { name, bytes },
    )) {
      expect(content).toEqual([expect.objectContaining(block)]);
      expect(structuredContent).toEqual({ content });
      const { data, resource } = content[0] as Block;
      expect(Buffer.from(data ?? resource?.blob ?? '', 'base64')).toEqual(Buffer.from(bytes));
    }
  },
);

interface Block {
  readonly data?: string;
  readonly resource?: { readonly uri: string; readonly mimeType: string; readonly blob: string };
}

test('what is no media is a resource of a kind that says nothing, at a URI that leads back to the file', async () => {
  const before = { name: 'my café.bin', bytes: bytesOf(1) };
  const results = await callBoth('read_media_file', { path: `$TREE/app/${before.name}` }, before);
  for (const { content } of results) {
    const { uri = '', mimeType } = (content[0] as Block).resource ?? {};
    expect(mimeType).toBe('application/octet-stream');
    expect(uri).toMatch(/^file:\/\/.*my%20caf(?:%C3%A9|e%CC%81)\.bin$/);
    expect(fileURLToPath(uri.replace('$TREE', '')).normalize()).toBe('/app/my café.bin'.normalize());
  }
});

test('the schema of its result names every kind of block', async () => {
  for (const { client } of servers) {
    const schema = JSON.stringify(await outputSchemaOf(client, 'read_media_file'));
    for (const kind of ['image', 'audio', 'resource']) expect(schema).toContain(kind);
  }
});

async function outputSchemaOf(client: Client, name: string): Promise<unknown> {
  const { tools } = await client.listTools();
  return tools.find((tool) => tool.name === name)?.outputSchema;
}

describe('a start', () => {
  /** Names in the tree, and what the start comes to, for both. */
  const starts: Readonly<
    Record<string, Pick<Start, 'reached' | 'says'> & { directories: readonly string[] }>
  > = {
    'with one that is missing says so, and reaches the other': {
      directories: ['missing', 'one'],
      reached: ['one'],
      says: ['Warning: Cannot access directory', '$TREE/missing'],
    },
    'with two that are there reaches both': {
      directories: ['one', 'two'],
      reached: ['one', 'two'],
      says: [],
    },
  };

  test.each(Object.entries(starts))('%s', async (_title, { directories, reached, says }) => {
    for (const begun of await startBoth(directories)) {
      expect(begun).toMatchObject({ code: 0, reached });
      expect(begun.stderr).not.toContain('Error:');
      for (const part of says) expect(begun.stderr).toContain(part);
    }
  });

  test.each(Object.entries(startDifferences))(
    'is another one, on purpose: %s',
    async (_title, difference) => {
      const [theirs, ours] = await startBoth(difference.directories);
      expectStart(theirs, difference.theirs);
      expectStart(ours, difference.ours);
    },
  );
});

interface Begun {
  readonly code: number | null;
  /** Names in the tree, as the server lists them. */
  readonly reached: readonly string[] | undefined;
  /** With `$TREE` for the tree. */
  readonly stderr: string;
}

function expectStart(begun: Begun | undefined, { code, reached, says }: Start): void {
  expect(begun).toMatchObject({ code, reached });
  if (says.length === 0) expect(begun?.stderr).toBe('');
  for (const part of says) expect(begun?.stderr).toContain(part);
}

/** Starts both with the same directories, theirs first. */
async function startBoth(names: readonly string[]): Promise<readonly Begun[]> {
  using files = tempTree(['one/', 'two/', 'note.txt = x']);
  const directories = names.map((name) => files.at(name));
  return await Promise.all(
    [referenceCommand(...directories), serveCommand({ args: ['--compat', ...directories] })].map(
      async (command) => begin(command, files.path),
    ),
  );
}

async function begin(command: OwnCommand, top: string): Promise<Begun> {
  using own = command;
  const { code, stdout, stderr } = await converse(own, [initialize, call('list_allowed_directories')]);
  const answer = messagesIn(stdout).find(({ id }) => id === 1)?.['result'] as
    | { readonly isError?: boolean; readonly structuredContent?: { readonly content: string } }
    | undefined;
  const text = answer?.isError === true ? undefined : answer?.structuredContent?.content;
  const reached = text?.split('\n').slice(1);
  return {
    code,
    reached: reached?.map((path) => path.slice(top.length + 1)),
    stderr: stderr.replaceAll(top, '$TREE'),
  };
}
