import { z } from 'zod';
import type { ToolResult } from './tool.ts';

/** The shape that most tools answer in: the text, and where it was cut how to get the rest. */
export const textOutput: z.ZodObject<{ content: z.ZodString; more: z.ZodOptional<z.ZodString> }> = z.object({
  content: z.string(),
  more: z.string().optional().describe('Present if the content was cut: how to get the rest'),
});

export type TextOutput = z.output<typeof textOutput>;

/** A text as the result of a tool. What is to be said about it comes after it, never into it. */
export function textResult(content: string, more?: string): ToolResult<TextOutput> {
  const text = { type: 'text', text: content } as const;
  if (more === undefined) return { content: [text], structuredContent: { content } };
  return { content: [text, { type: 'text', text: more }], structuredContent: { content, more } };
}
