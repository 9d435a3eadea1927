import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { pathText } from '../tool/answer-limits.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { sizeText } from '../tool/shown-path.ts';
import { createTicker } from '../tool/tool-call.ts';
import { defineTool, type Tool } from '../tool/tool.ts';

export const copyFile: Tool = defineTool({
  name: 'copy_file',
  title: 'Copy file',
  description:
    'Copies one file with its mode, within a root or from one to another. The copy appears as a whole. ' +
    'Replaces what is there only with overwrite.',
  operations: ['read', 'write'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    source: pathText.describe('Absolute, relative to the project, or a file URI'),
    destination: pathText.describe('The path of the copy, with its name'),
    overwrite: z.boolean().default(false).describe('Replace a file that is there'),
    parents: z.boolean().default(false).describe('Create missing directories on the way'),
  }),
  output: textOutput,
  async run({ source, destination, overwrite, parents }, call) {
    const tick = createTicker(call);
    const onProgress = (done: number, total: number): void =>
      tick(done, `${sizeText(done)} of ${sizeText(total)}`);
    const original = { operation: 'read', path: source, detail: `to ${destination}` } as const;
    const copied = { operation: 'write', path: destination, detail: `from ${source}`, remedies } as const;
    await call.reach(original, (from) =>
      call.reach(copied, (to) =>
        from.boundary.copy(from.relative, to.relative, {
          into: to.boundary,
          replace: overwrite,
          parents,
          signal: call.signal,
          onProgress,
        }),
      ),
    );
    return textResult(`Successfully copied ${escapeText(source)} to ${escapeText(destination)}`);
  },
});

const remedies = {
  NOT_FOUND: 'Make the directory that it belongs to with create_directory, or ask for parents',
  ALREADY_EXISTS: 'Choose another name, or ask for overwrite',
} as const;
