import { z } from 'zod';
import { isObject } from '../../base/fields.ts';
import { limits } from './answer-limits.ts';
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

/** No character takes more than this in a message: `\u0000`. */
const widest = 6;

/** Others than these take no more than this. */
const usual = 3;
const rare = /[\u0000-\u0007\u000B\u000E-\u001F\uD800-\uDFFF]/;

/** Quotes, a comma, a line end, and what a list puts in front of an item. */
const around = 12;

/** How many bytes a text has in a message, where quotes, line ends and the like are escaped. */
export function bytesInMessage(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** As many items from the beginning as fit into an answer that has them twice: as text, and as data. */
export function takeFitting(items: readonly string[], room: number = limits.answer): readonly string[] {
  const characters = items.reduce((sum, { length }) => sum + length + around, 0);
  if (characters * widest <= room) return items;
  let left = room;
  const end = items.findIndex((item) => (left -= bytesInMessage(item) + around) < 0);
  return end === -1 ? items : items.slice(0, end);
}

/** Whether a client can take a result: those of the SDKs hang up on a message that is too long. */
export function fitsMessage({ content, structuredContent }: ToolResult): boolean {
  const result = { content, structuredContent };
  const characters = charactersIn(result);
  if (characters * widest <= limits.message) return true;
  // To look for them is much cheaper than to write it all down.
  if (characters * usual <= limits.message && !hasRare(result)) return true;
  return Buffer.byteLength(JSON.stringify(result)) <= limits.message;
}

/** At least as many as there are, with keys and marks: most results are far from any limit. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length + around;
  if (!isObject(value)) return around * 2;
  let sum = around;
  for (const [key, item] of Object.entries(value)) sum += key.length + around + charactersIn(item);
  return sum;
}

function hasRare(value: unknown): boolean {
  if (typeof value === 'string') return rare.test(value);
  return isObject(value) && Object.values(value).some(hasRare);
}
