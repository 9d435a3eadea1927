import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { limits, pathText } from '../tool/answer-limits.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { missingDirectory } from '../tool/tool-call.ts';
import { defineTool, type Tool } from '../tool/tool.ts';

export const writeFile: Tool = defineTool({
  name: 'write_file',
  title: 'Write file',
  description:
    'Creates a text file, or replaces the whole content of one that exists. ' +
    'The file changes in one step or not at all. Its directory must exist.',
  operations: ['write'],
  effect: 'change',
  idempotent: true,
  isBrief: true,
  input: z.object({
    path: pathText.describe('Absolute, relative to the project, or a file URI'),
    content: z.string().max(limits.content).describe('The whole content of the file'),
  }),
  output: textOutput,
  async run({ path, content }, call) {
    const detail = `${Buffer.byteLength(content)} bytes`;
    const wish = { operation: 'write', path, detail, remedies: missingDirectory } as const;
    await call.reach(wish, ({ boundary, relative }) =>
      boundary.write(relative, content, { signal: call.signal }),
    );
    return textResult(`Successfully wrote to ${escapeText(path)}`);
  },
});
