import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { pathText } from '../tool/answer-limits.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { createTicker } from '../tool/tool-call.ts';
import { defineTool, type Tool } from '../tool/tool.ts';

export const removeFile: Tool = defineTool({
  name: 'remove_file',
  title: 'Remove file',
  description:
    'Removes a file, a link (never what it leads to) or an empty directory; with recursive, a directory ' +
    'and everything in it. It is deleted, not moved to a trash.',
  operations: ['remove'],
  effect: 'change',
  input: z.object({
    path: pathText.describe('Absolute, relative to the project, or a file URI'),
    recursive: z.boolean().default(false).describe('A directory with everything in it'),
  }),
  output: textOutput,
  async run({ path, recursive }, call) {
    const tick = createTicker(call);
    const onProgress = (removed: number): void => tick(removed, `${removed} entries removed`);
    await call.reach({ operation: 'remove', path, remedies }, ({ boundary, relative }) =>
      boundary.remove(relative, { tree: recursive, signal: call.signal, onProgress }),
    );
    return textResult(`Successfully removed ${escapeText(path)}`);
  },
});

const remedies = { NOT_EMPTY: 'Remove what is in it first, or ask for recursive' } as const;
