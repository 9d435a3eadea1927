import { z } from 'zod';
import { fieldsOf, isObject } from '../../base/fields.ts';
import { limits } from './answer-limits.ts';
import type { ContentBlock, Tool, ToolCall, ToolResult } from './tool.ts';

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

/** The form in which a client gets the results of tools. */
export interface AnswerForm {
  /** The tools that send structured content: those that answer with data, all of them, or none. */
  readonly structured: 'data' | 'all' | 'none';
  /** Characters of text in one result. */
  readonly maxAnswer: number;
}

/** For clients that were not measured. */
export const usualForm: AnswerForm = { structured: 'data', maxAnswer: 100_000 };

/** Every field of the reference server, and texts as long as one message allows. */
export const referenceForm: AnswerForm = { structured: 'all', maxAnswer: Number.MAX_SAFE_INTEGER };

/** Characters that a tool may fill; the rest is for notes, and for limits that are known about, not exactly. */
export function roomIn({ maxAnswer }: AnswerForm): number {
  return Math.floor(maxAnswer * 0.9);
}

/** Whether a tool is listed with the schema of its structured content. */
export function hasOutputSchema({ answers }: Pick<Tool, 'answers'>, { structured }: AnswerForm): boolean {
  return structured === 'all' || (structured === 'data' && answers === 'data');
}

/** Removes the structured content that this client should not get, and cuts a text that it would cut itself. */
export function formAnswer(tool: Tool, input: unknown, answer: FormedAnswer): FormedResult {
  const { result, form } = answer;
  const content = cutText(result.content, form.maxAnswer);
  const wantsData = tool.answers === 'data on request' && fieldsOf(input)['structured'] === true;
  const isAsked = wantsData && form.structured !== 'none';
  return isAsked || hasOutputSchema(tool, form)
    ? { content, structuredContent: result.structuredContent }
    : { content };
}

export interface FormedAnswer {
  readonly result: ToolResult;
  readonly form: AnswerForm;
}

interface FormedResult {
  readonly content: ContentBlock[];
  readonly structuredContent?: Record<string, unknown>;
}

/** The argument of a tool that answers with data on request. */
export const structuredArgument: z.ZodDefault<z.ZodBoolean> = z
  .boolean()
  .default(false)
  .describe('Send the result as structured content, too');

/** Tools keep to their room and say how to go on; this is for the few that cannot. */
function cutText(content: readonly ContentBlock[], most: number): ContentBlock[] {
  let left = most;
  return content.map((block) => {
    if (block.type !== 'text') return block;
    const before = left;
    left = Math.max(0, left - block.text.length);
    return block.text.length <= before ? block : { ...block, text: cutAt(block.text, before) };
  });
}

/** Leaves out the middle, because the end often says how it went. */
function cutAt(text: string, most: number): string {
  const kept = Math.max(0, most - noteLength);
  const head = Math.floor((kept * 2) / 3);
  const tail = kept - head;
  const note = `[Cut: ${text.length - kept} characters are left out here. Ask for less at once.]`;
  return `${text.slice(0, head)}\n${note}\n${text.slice(text.length - tail)}`;
}

const noteLength = 100;
