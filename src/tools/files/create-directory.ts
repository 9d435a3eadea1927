import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { pathText } from '../tool/answer-limits.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { defineTool, type Tool } from '../tool/tool.ts';

export const createDirectory: Tool = defineTool({
  name: 'create_directory',
  title: 'Create directory',
  description: 'Creates a directory and any missing directories above it. One that already exists is fine.',
  operations: ['write'],
  effect: 'add',
  idempotent: true,
  isBrief: true,
  input: z.object({ path: pathText.describe('Absolute, relative to the project, or a file URI') }),
  output: textOutput,
  async run({ path }, call) {
    await call.reach({ operation: 'write', path }, ({ boundary, relative }) =>
      boundary.makeDirectory(relative, { parents: true }),
    );
    return textResult(`Successfully created directory ${escapeText(path)}`);
  },
});
