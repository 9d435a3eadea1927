import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectKit } from '../../../test/serve/connect-kit.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { readTextFile } from '../../tools/files/read-text-file.ts';
import { defineTool } from '../../tools/tool/tool.ts';

const add = defineTool({
  name: 'add',
  title: 'Add',
  description: 'Adds',
  operations: [],
  effect: 'read',
  input: z.object({ one: z.number(), other: z.object({ value: z.number().default(1) }) }),
  output: z.object({ sum: z.number() }),
  run: async ({ one, other }) => ({ content: [], structuredContent: { sum: one + other.value } }),
});

test('calls a tool with what its schema reads', async () => {
  await using kit = await connectKit({ tools: [add] });
  const result = await kit.client.callTool({ name: 'add', arguments: { one: 1, other: {}, more: true } });
  expect(result.structuredContent).toEqual({ sum: 2 });
});

test('tells a model which arguments are wrong', async () => {
  await using kit = await connectKit({ tools: [add] });
  const result = await kit.client.callTool({ name: 'add', arguments: { one: 'x', other: { value: 'y' } } });
  expect(result.isError).toBe(true);
  expect(result.content).toMatchObject([
    { text: expect.stringMatching(/Invalid arguments for tool add:\n- one: .*\n- other\.value: /) },
  ]);
});

test('a call without arguments is one with none', async () => {
  await using kit = await connectKit({ tools: [add] });
  expect(await kit.client.callTool({ name: 'add' })).toMatchObject({ isError: true });
});

test('a tool that is not offered is not there', async () => {
  await using kit = await connectKit({ tools: [add] });
  await expect(kit.client.callTool({ name: 'sub' })).rejects.toThrow('Tool sub not found');
});

test('a refusal is a result', async () => {
  using tree = tempTree(['app/']);
  await using kit = await connectKit({ tools: [readTextFile], attach: { ceiling: [tree.at('app')] } });
  const result = await kit.client.callTool({ name: 'read_text_file', arguments: { path: '../x' } });
  expect(result).toMatchObject({ isError: true, _meta: { 'rootward/error': { code: 'OUTSIDE_ROOTS' } } });
});

test.each([
  ['a long list', Array(20_000).fill(0)],
  ['a deep list', JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown],
  ['many fields', Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 0]))],
])('%s is refused before it is compared with a schema', async (_name, one) => {
  await using kit = await connectKit({ tools: [add] });
  const result = await kit.client.callTool({ name: 'add', arguments: { one } });
  expect(result.content).toMatchObject([{ text: expect.stringContaining('more than 10000 values') }]);
});

test('of very many wrong arguments the first are named', async () => {
  const list = defineTool({
    ...add,
    name: 'list',
    effect: 'read',
    input: z.object({ all: z.array(z.string()) }),
    run: async () => ({ content: [], structuredContent: { sum: 0 } }),
  });
  await using kit = await connectKit({ tools: [list] });
  const result = await kit.client.callTool({ name: 'list', arguments: { all: Array(9_000).fill(0) } });
  expect(JSON.stringify(result).length).toBeLessThan(5_000);
});
