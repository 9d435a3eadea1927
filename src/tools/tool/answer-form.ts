import { z } from 'zod';
import { fieldsOf } from '../../base/fields.ts';
import type { ContentBlock, Tool, ToolResult } from './tool.ts';

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
