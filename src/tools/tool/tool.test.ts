import { expect, test } from 'vitest';
import { z } from 'zod';
import { openToolCall } from '../../testing/open-tool-call.ts';
import { defineTool, type ToolDefinition } from './tool.ts';

const input = z.object({ count: z.number() });
const output = z.object({ twice: z.number() });

function doubling(
  more: Partial<ToolDefinition<typeof input, typeof output>> = {},
): ReturnType<typeof defineTool> {
  return defineTool({
    name: 'double',
    title: 'Double',
    description: 'Doubles',
    operations: [],
    effect: 'read',
    input,
    output,
    run: async ({ count }) => ({ content: [], structuredContent: { twice: 2 * count } }),
    ...more,
  });
}

test('annotations follow from the effect', () => {
  expect(doubling().annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
  expect(doubling({ effect: 'add', idempotent: true }).annotations).toEqual({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
  expect(doubling({ effect: 'change' }).annotations).toMatchObject({
    destructiveHint: true,
    idempotentHint: false,
  });
});

test('runs with arguments parsed by its schema', async () => {
  await using call = await openToolCall([process.cwd()]);
  const { structuredContent } = await call.run(doubling(), { count: 21 });
  expect(structuredContent).toEqual({ twice: 42 });
  await expect(call.run(doubling(), { count: 'x' })).rejects.toThrow('expected number');
});
