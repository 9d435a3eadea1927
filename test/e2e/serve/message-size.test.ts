import type { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { difficultClients, type TempTree, tempTree } from '../../../src/testing/index.ts';
import type { ClientName } from '../../support/peers/sdk-client.ts';
import { referenceCommand } from '../../support/processes/command.ts';
import { connect, connectHere } from '../../support/processes/connect.ts';
import { speakTo } from '../../support/processes/speak.ts';

/* Clients of the SDKs hang up on a message of more than 10 MiB, and with it goes every other call. */

let files: TempTree;

beforeAll(() => {
  files = tempTree(['app/a.txt = still here', 'app/tree/']);
  for (const [name, mebibytes] of Object.entries({ '3.png': 3, '6.png': 6, '7.png': 7 })) {
    writeFileSync(files.at('app', name), '');
    truncateSync(files.at('app', name), mebibytes * 1_048_576);
  }
  for (let directory = 0; directory < 30; directory += 1) {
    mkdirSync(files.at(`app/tree/${directory}`));
    for (let file = 0; file < 300; file += 1)
      writeFileSync(files.at(`app/tree/${directory}/${'"'.repeat(200)}${file}`), '');
  }
});

afterAll(() => files[Symbol.dispose]());

const names: readonly ClientName[] = ['v1', 'v2', 'v2 in 2026'];

describe.each(names)('a client of %s', (name) => {
  test('can go on after the largest answers', async () => {
    await using client = await connectHere(name, { args: [files.at('app'), '--compat'] });
    const raw = client.raw as ClientV1;
    const sizeOf = async (tool: string, input: Record<string, unknown>): Promise<number> =>
      JSON.stringify(await raw.callTool({ name: tool, arguments: input })).length;
    expect(await sizeOf('read_media_file', { path: '3.png' })).toBeGreaterThan(8 * 1_048_576);
    expect(await sizeOf('read_media_file', { path: '6.png' })).toBeGreaterThan(8 * 1_048_576);
    expect(await sizeOf('directory_tree', { path: 'tree' })).toBeGreaterThan(4 * 1_048_576);
    const { isError, text } = await client.call('read_media_file', { path: '7.png' });
    expect(isError).toBe(true);
    expect(text).toContain('offset and length');
    expect((await client.call('read_text_file', { path: 'a.txt' })).text).toBe('still here');
  }, 30_000);
});

test('without --compat a picture is sent once, as a picture, and a long list is cut', async () => {
  await using client = await connect('v1', { args: [files.at('app')] });
  const raw = client.raw as ClientV1;
  const { tools } = await raw.listTools();
  expect(tools.find(({ name }) => name === 'read_media_file')?.outputSchema).toBeUndefined();
  for (const [path, mebibytes] of [
    ['3.png', 3],
    ['6.png', 6],
  ] as const) {
    const { content, ...others } = await raw.callTool({ name: 'read_media_file', arguments: { path } });
    const data = Buffer.alloc(mebibytes * 1_048_576).toString('base64');
    expect(Object.keys(others)).toEqual([]);
    // A comparison of such texts would print them.
    const [block] = content as readonly { readonly data?: string }[];
    expect({ ...block, data: block?.data === data }).toEqual({
      type: 'image',
      mimeType: 'image/png',
      data: true,
    });
  }
  const tree = await raw.callTool({ name: 'directory_tree', arguments: { path: 'tree' } });
  expect(tree.structuredContent).toBeUndefined();
  expect(JSON.stringify(tree.content).length).toBeLessThan(210_000);
  const { isError, text } = await client.call('read_media_file', { path: '7.png' });
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('offset and length') });
  expect((await client.call('read_text_file', { path: 'a.txt' })).text).toBe('still here');
}, 30_000);

test('the reference sends more than that', async () => {
  const client = difficultClients.undeclared;
  await using careless = await speakTo(referenceCommand(files.at('app')), { client, roots: [] });
  const reply = await careless.player.request('tools/call', {
    name: 'read_media_file',
    arguments: { path: files.at('app/6.png') },
  });
  expect(JSON.stringify(reply).length).toBeGreaterThan(10 * 1_048_576);
}, 30_000);
