import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../tools/tool/tool.ts';
import { listTool } from './list-tool.ts';

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

test('shows a tool as clients read it', () => {
  const { inputSchema, outputSchema, ...said } = listTool(tool);
  expect(said).toEqual({
    name: 'touch',
    title: 'Touch',
    description: 'Makes an empty file',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  });
  expect(inputSchema).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { path: { type: 'string', description: 'Where' }, times: { type: 'number', default: 1 } },
  });
  expect(outputSchema).toMatchObject({ type: 'object', required: ['made'] });
});

test('an argument with a default need not be sent', () => {
  expect(listTool(tool).inputSchema['required']).toEqual(['path']);
});
