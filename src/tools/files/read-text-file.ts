import { z } from 'zod';
import { pathText } from '../tool/answer-limits.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { reach } from '../tool/tool-call.ts';
import { defineTool, type Tool, type ToolDefinition } from '../tool/tool.ts';
import { readTextPart } from './read-text.ts';

const input = z.object({
  path: pathText.describe('Absolute, relative to the project, or a file URI'),
  tail: z.number().optional().describe('Only this many lines from the end'),
  head: z.number().optional().describe('Only this many lines from the beginning'),
  offset: z.number().optional().describe('First byte to read: to go on after a result that was cut'),
});

type ReadDefinition = ToolDefinition<typeof input, typeof textOutput>;

const definition: Omit<ReadDefinition, 'name' | 'title' | 'description'> = {
  operations: ['read'],
  effect: 'read',
  input,
  output: textOutput,
  async run({ path, head, tail, offset }, call) {
    const { text, more } = await reach(call, { operation: 'read', path }, (location) =>
      readTextPart(location, { head, tail, offset, signal: call.signal }),
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
    'A very long text is cut, and the result says which offset to go on with. ' +
    'Refuses files that are not text; use read_media_file for those.',
});

/** The older name of the same tool. */
export const readFile: Tool = defineTool({
  ...definition,
  name: 'read_file',
  title: 'Read file (older name)',
  description: 'The older name of read_text_file; takes the same arguments and gives the same result.',
});
