import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectKit, type KitClient } from '../../../test/support/peers/connect-kit.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { allTools } from '../../tools/all-tools.ts';
import { readTextFile } from '../../tools/files/read-text-file.ts';
import { createShell } from '../../tools/shell.ts';
import { defineTool } from '../../tools/tool/tool.ts';
import { writeFileSync } from 'node:fs';
import type { AnswerSettings } from './answer-tools.ts';

type ListedTool = Awaited<ReturnType<KitClient['client']['listTools']>>['tools'][number];

async function listOf({ client }: KitClient): Promise<readonly ListedTool[]> {
  return (await client.listTools()).tools;
}

test('the list says the same before and after the roots are known, and nobody has to read it again', async () => {
  using tree = tempTree(['app/', 'lib/']);
  await using kit = await connectKit({ tools: [...allTools], roots: [tree.at('app')] });
  const before = await listOf(kit);
  await kit.client.callTool({ name: 'list_roots' });
  await kit.list(tree.at('app'), tree.at('lib'));
  await kit.client.callTool({ name: 'read_text_file', arguments: { path: 'a' } });
  await kit.client.ping();
  expect(kit.changes()).toBe(0);
  expect(await listOf(kit)).toEqual(before);
});

const tool = defineTool({
  name: 'touch',
  title: 'Touch',
  description: 'Makes an empty file',
  operations: ['write'],
  effect: 'add',
  input: z.object({ path: z.string().describe('Where'), times: z.number().default(1) }),
  output: z.object({ made: z.boolean() }),
  run: async () => ({ content: [], structuredContent: { made: true } }),
});

test('lists a tool in the format of the protocol', async () => {
  await using kit = await connectKit({ tools: [tool] });
  const [listed] = await listOf(kit);
  expect(listed).not.toHaveProperty('outputSchema');
  // Every tool also takes the project of the call.
  expect(Object.keys(listed?.inputSchema.properties ?? {})).toEqual(['path', 'times', 'cwd', 'project']);
  expect(listed).toMatchObject({
    name: 'touch',
    title: 'Touch',
    description: 'Makes an empty file',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Where' }, times: { type: 'number', default: 1 } },
      required: ['path'],
    },
  });
});

test('only a tool that answers with data has an output schema, and with compat every tool', async () => {
  const withSchema = async (kit: KitClient): Promise<readonly string[]> =>
    (await listOf(kit)).flatMap(({ name, outputSchema }) => (outputSchema === undefined ? [] : [name]));
  await using kit = await connectKit({ tools: [...allTools] });
  expect(await withSchema(kit)).toEqual([
    'check_path',
    'project_info',
    'build_config',
    'list_roots',
    'switch_project',
    'why',
  ]);
  await using compat = await connectKit({ tools: [...allTools], answers: { compat: true } });
  expect(await withSchema(compat)).toHaveLength(allTools.length + 3);
});

test('a text is sent once, data with its text, and a search as data on request', async () => {
  using tree = tempTree(['app/a.txt = hello']);
  await using kit = await connectKit({ tools: [...allTools], attach: { ceiling: [tree.at('app')] } });
  const call = (name: string, input: object) => kit.client.callTool({ name, arguments: { ...input } });
  expect(await call('read_text_file', { path: 'a.txt' })).toEqual({
    content: [{ type: 'text', text: 'hello' }],
  });
  expect(await call('check_path', { path: 'a.txt' })).toMatchObject({
    content: [{ text: expect.stringContaining('allowed') }],
    structuredContent: { allowed: true },
  });
  expect(await call('search_text', { pattern: 'hell' })).not.toHaveProperty('structuredContent');
  const asked = await call('search_text', { pattern: 'hell', structured: true });
  expect(asked.structuredContent).toMatchObject({ matches: 1 });
});

const oldest = ['2024-11-05', '2025-03-26', '2025-06-18'] as const;

test.each(oldest)(
  'structured content and output schemas reach %s only if it knows them',
  async (revision) => {
    using tree = tempTree(['app/a.txt = hello']);
    const answers = { compat: true };
    await using kit = await connectKit({
      tools: [...allTools],
      attach: { ceiling: [tree.at('app')] },
      answers,
      revision,
    });
    const knows = revision >= '2025-06-18';
    for (const { outputSchema } of await listOf(kit)) expect(outputSchema !== undefined).toBe(knows);
    for (const name of ['why', 'list_roots', 'check_path', 'read_text_file']) {
      const result = await kit.client.callTool({ name, arguments: { path: 'a.txt' } });
      expect(result.structuredContent !== undefined).toBe(knows);
    }
    const refused = await kit.client.callTool({ name: 'switch_project', arguments: { project: 'nowhere' } });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.structuredContent !== undefined).toBe(knows);
  },
);

/** Keywords that the function calls of some models do not know. */
const unknownKeywords = /^(?:\$schema|\$ref|exclusiveMinimum|exclusiveMaximum|oneOf|allOf|not)$/;

test('every schema keeps to what all clients accept', async () => {
  const shell = createShell({ confinement: { kind: 'none', reason: '' }, allowUnconfined: true });
  await using kit = await connectKit({
    tools: [...allTools, ...(shell ? [shell] : [])],
    answers: { compat: true },
  });
  for (const { inputSchema, outputSchema } of await listOf(kit)) {
    const keywords = [...keywordsIn(inputSchema), ...keywordsIn(outputSchema)];
    expect(keywords.filter(([key]) => unknownKeywords.test(key))).toEqual([]);
    expect(keywords).not.toContainEqual(['required', []]);
    if (Object.keys(inputSchema.properties ?? {}).length === 0)
      expect(inputSchema).toMatchObject({ additionalProperties: false });
  }
});

/** Every keyword of a schema and of those within it; names of properties are none. */
function keywordsIn(schema: unknown): readonly (readonly [string, unknown])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(keywordsIn);
  const inside = Object.entries(schema).flatMap(([key, value]) =>
    keywordsIn(key === 'properties' ? Object.values(value as object) : value),
  );
  return [...Object.entries(schema), ...inside];
}

const add = defineTool({
  name: 'add',
  title: 'Add',
  description: 'Adds',
  operations: [],
  effect: 'read',
  answers: 'data',
  input: z.object({ one: z.number(), other: z.object({ value: z.number().default(1) }) }),
  output: z.object({ sum: z.number() }),
  run: async ({ one, other }) => ({ content: [], structuredContent: { sum: one + other.value } }),
});

test('calls a tool with arguments parsed by its schema', async () => {
  await using kit = await connectKit({ tools: [add] });
  const result = await kit.client.callTool({ name: 'add', arguments: { one: 1, other: {}, more: true } });
  expect(result.structuredContent).toEqual({ sum: 2 });
});

test('reports which arguments are wrong', async () => {
  await using kit = await connectKit({ tools: [add] });
  const result = await kit.client.callTool({ name: 'add', arguments: { one: 'x', other: { value: 'y' } } });
  expect(result.isError).toBe(true);
  expect(result.content).toMatchObject([
    { text: expect.stringMatching(/Invalid arguments for tool add:\n- one: .*\n- other\.value: /) },
  ]);
});

test('treats missing arguments as an empty object', async () => {
  await using kit = await connectKit({ tools: [add] });
  expect(await kit.client.callTool({ name: 'add' })).toMatchObject({ isError: true });
});

test('refuses a tool that is not offered', async () => {
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
])('refuses %s before validating it', async (_name, one) => {
  await using kit = await connectKit({ tools: [add] });
  const result = await kit.client.callTool({ name: 'add', arguments: { one } });
  expect(result.content).toMatchObject([{ text: expect.stringContaining('more than 10000 values') }]);
});

test('reports the first of very many wrong arguments', async () => {
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

/** A client, what the operator says, and the characters that an answer has at most. */
const cases: readonly (readonly [name: string, answers: AnswerSettings, most: number])[] = [
  ['claude-code', {}, 45_000],
  ['codex-mcp-client', {}, 12_000],
  ['codex-mcp-client (via mcp-remote 0.1.2)', {}, 12_000],
  ['never heard of', {}, 100_000],
  ['codex-mcp-client', { maxAnswer: 20_000 }, 20_000],
  ['never heard of', { maxAnswer: 5 }, 1_000],
  ['codex-mcp-client', { compat: true }, 150_010],
];

test.each(cases)('%s, told %o, reads at most %i characters at once', async (name, answers, most) => {
  using tree = tempTree(['app/']);
  writeFileSync(tree.at('app/long.txt'), 'ten chars\n'.repeat(15_001));
  await using kit = await connectKit({
    tools: [readTextFile],
    attach: { ceiling: [tree.at('app')] },
    answers,
    name,
  });
  const result = await kit.client.callTool({ name: 'read_text_file', arguments: { path: 'long.txt' } });
  const texts = (result.content as readonly { readonly text: string }[]).map(({ text }) => text);
  const { length } = texts.join('');
  expect(length).toBeLessThanOrEqual(most);
  expect(length).toBeGreaterThan(most * 0.85);
  const [, offset] = /call again with offset (\d+)/.exec(texts[1] ?? '') ?? [];
  expect(offset).toBe(most === 150_010 ? undefined : String(texts[0]?.length));
});
