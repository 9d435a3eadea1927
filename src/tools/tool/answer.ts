import { z } from 'zod';
import { isObject } from '../../base/fields.ts';
import { limits } from './answer-limits.ts';
import type { ToolCall, ToolResult } from './tool.ts';

/** The output of most tools: the text, and how to continue if it was cut. */
export const textOutput: z.ZodObject<{ content: z.ZodString; more: z.ZodOptional<z.ZodString> }> = z.object({
  content: z.string(),
  more: z.string().optional().describe('Present if the content was cut: how to get the rest'),
});

export type TextOutput = z.output<typeof textOutput>;

/** Returns a text as the result of a tool. Notes follow in their own block, never within the text. */
export function textResult(content: string, more?: string): ToolResult<TextOutput> {
  const text = { type: 'text', text: content } as const;
  if (more === undefined) return { content: [text], structuredContent: { content } };
  return { content: [text, { type: 'text', text: more }], structuredContent: { content, more } };
}

/** Maximum bytes of a character in a message: `\u0000`. */
const widest = 6;

/** Maximum bytes of any other character. */
const usual = 3;
const rare = /[\u0000-\u0007\u000B\u000E-\u001F\uD800-\uDFFF]/;

/** Quotes, a comma, a line end, and list indentation. */
const around = 12;

/** Returns the size of a text in a message, with escapes. */
export function bytesInMessage(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Returns as many items as fit into a result that contains them twice, as text and as data. */
export function takeFitting(items: readonly string[], room: number = limits.answer): readonly string[] {
  const characters = items.reduce((sum, { length }) => sum + length + around, 0);
  if (characters * widest <= room) return items;
  let left = room;
  const end = items.findIndex((item) => (left -= bytesInMessage(item) + around) < 0);
  return end === -1 ? items : items.slice(0, end);
}

/** Returns as many lines as a text result may have, and at least one. */
export function takeShown(lines: readonly string[], { room }: Pick<ToolCall, 'room'>): readonly string[] {
  let left = room;
  const end = lines.findIndex(({ length }) => (left -= length + 1) < 0);
  return takeFitting(end === -1 ? lines : lines.slice(0, Math.max(1, end)));
}

/** Tells whether a result fits into one message: SDK clients disconnect if it is too long. */
export function fitsMessage({ content, structuredContent }: ToolResult): boolean {
  const result = { content, structuredContent };
  const characters = charactersIn(result);
  if (characters * widest <= limits.message) return true;
  // Searching for rare characters is much cheaper than serializing everything.
  if (characters * usual <= limits.message && !hasRare(result)) return true;
  return Buffer.byteLength(JSON.stringify(result)) <= limits.message;
}

/** Returns an upper bound of the number of characters, which is enough for most results. */
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
