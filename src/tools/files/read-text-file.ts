import { isBinaryFileSync } from 'isbinaryfile';
import { z } from 'zod';
import { RootwardError } from '../../errors.ts';
import type { Location } from '../../workspace/workspace.ts';
import { limits, pathText } from '../tool/answer-limits.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { defineTool, type Tool, type ToolCall, type ToolDefinition } from '../tool/tool.ts';

const input = z.object({
  path: pathText.describe('Absolute, relative to the project, or a file URI'),
  tail: z.number().optional().describe('Only this many lines from the end'),
  head: z.number().optional().describe('Only this many lines from the beginning'),
  offset: z.number().optional().describe('First byte to read, to continue after a result that was cut'),
});

type ReadDefinition = ToolDefinition<typeof input, typeof textOutput>;

const definition: Omit<ReadDefinition, 'name' | 'title' | 'description'> = {
  operations: ['read'],
  effect: 'read',
  isBrief: true,
  input,
  output: textOutput,
  async run({ path, head, tail, offset }, call) {
    const { text, more } = await call.reach({ operation: 'read', path }, (location) =>
      readTextPart(location, { head, tail, offset, limit: textRoom(call), signal: call.signal }),
    );
    return textResult(text, more);
  },
};

export const readTextFile: Tool = defineTool({
  ...definition,
  name: 'read_text_file',
  title: 'Read text file',
  description:
    'Reads a file as UTF-8 text, whole or only its first (head) or last (tail) lines. ' +
    'A very long text is cut, and the result says which offset to continue with. ' +
    'Refuses files that are not text; use read_media_file for those.',
});

/** The older name of the same tool. */
export const readFile: Tool = defineTool({
  ...definition,
  name: 'read_file',
  title: 'Read file (older name)',
  description: 'The older name of read_text_file; takes the same arguments and gives the same result.',
});

/** Bytes of text that the result may have. A character has at least one. */
export function textRoom({ room }: Pick<ToolCall, 'room'>): number {
  return Math.min(limits.text, room);
}

/** The requested part of a file. Zero lines count as not given, because models send that. */
export interface TextWish {
  readonly head?: number | undefined;
  readonly tail?: number | undefined;
  /** First byte, to continue after a cut. */
  readonly offset?: number | undefined;
  readonly limit?: number;
  readonly signal: AbortSignal;
}

export interface TextPart {
  readonly text: string;
  /** Says how to read on, if the text was cut. */
  readonly more?: string;
}

/** Reads the text of a file or of a part of it, up to the limit. Refuses files that are not text. */
export async function readTextPart(location: Location, wish: TextWish): Promise<TextPart> {
  const { head = 0, tail = 0, offset = 0 } = wish;
  const wishes = [head, tail, offset].filter((number) => number !== 0);
  if (wishes.length > 1) throw invalid(location, 'head, tail and offset exclude each other');
  if (wishes.some((number) => !Number.isSafeInteger(number) || number < 0))
    throw invalid(location, 'numbers of lines and bytes must be non-negative integers');
  const part =
    head > 0 || tail > 0 ? await readLines(location, wish) : await readFrom(location, wish, offset);
  if (part.text.includes('\0')) throw notText(location);
  return part;
}

function invalid({ relative }: Location, reason: string): RootwardError<'INVALID_RANGE'> {
  return new RootwardError('INVALID_RANGE', { verb: 'read', path: relative, reason });
}

function notText({ relative }: Location): RootwardError<'NOT_TEXT'> {
  return new RootwardError('NOT_TEXT', { verb: 'read', path: relative });
}

async function readFrom(location: Location, wish: TextWish, offset: number): Promise<TextPart> {
  const { limit = limits.text, signal } = wish;
  const { boundary, relative } = location;
  // One extra byte tells whether there is more.
  const bytes = await boundary.readBytes(relative, { start: offset, end: offset + limit + 1, signal });
  const end = bytes.length <= limit ? bytes.length : goodEnd(bytes, limit);
  if (offset === 0 && isBinaryFileSync(bytes.subarray(0, end), end)) throw notText(location);
  if (end === bytes.length) return { text: bytes.toString('utf8') };
  const next = offset + end;
  const more = `[Cut after byte ${next}. To read on, call again with offset ${next}.]`;
  return { text: bytes.toString('utf8', 0, end), more };
}

/** Cuts after a line if one ends in the second half, otherwise between two characters. */
function goodEnd(bytes: Buffer, limit: number): number {
  const line = bytes.lastIndexOf(0x0a, limit - 1) + 1;
  if (line > limit / 2) return line;
  let end = limit;
  while (end > 1 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

/** Reads lines as the reference file server does: without the line end of the last one. */
async function readLines(location: Location, wish: TextWish): Promise<TextPart> {
  const { boundary, relative } = location;
  const { head = 0, tail = 0, limit = limits.text, signal } = wish;
  const lines = head > 0 ? { head } : { tail };
  const start = await boundary.readBytes(relative, { end: 512, signal });
  if (isBinaryFileSync(start, start.length)) throw notText(location);
  try {
    const text = await boundary.readText(relative, { ...lines, limit, signal });
    return { text: head > 0 ? text.replace(/\n$/, '') : text };
  } catch (error) {
    if (!RootwardError.is(error, 'TOO_LARGE')) throw error;
    return head > 0 ? readFrom(location, wish, 0) : readEnd(location, limit);
  }
}

/** Reads the end of a file whose last lines are too many or too long. */
async function readEnd({ boundary, relative }: Location, limit: number): Promise<TextPart> {
  await using reader = await boundary.open(relative);
  const start = Math.max(0, reader.info.size - limit);
  const bytes = await reader.read(start, limit);
  const line = bytes.indexOf(0x0a) + 1;
  const begin = line < bytes.length / 2 ? line : 0;
  return {
    text: bytes.toString('utf8', begin),
    more: `[Cut: these are the last ${bytes.length - begin} bytes, from byte ${start + begin} on. Ask for fewer lines, or read from an offset.]`,
  };
}
