import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { pathText } from '../tool/answer-limits.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { missingDirectory } from '../tool/tool-call.ts';
import { defineTool, type Tool } from '../tool/tool.ts';

export const moveFile: Tool = defineTool({
  name: 'move_file',
  title: 'Move file',
  description:
    'Moves or renames a file, a directory or a link (never what it leads to), within a root or from one ' +
    'to another. Never replaces what is there.',
  operations: ['write'],
  effect: 'change',
  isBrief: true,
  input: z.object({
    source: pathText.describe('Absolute, relative to the project, or a file URI'),
    destination: pathText.describe('The new path, with the new name; must be free'),
  }),
  output: textOutput,
  async run({ source, destination }, call) {
    const away = { operation: 'write', path: source, itself: true, detail: `to ${destination}` } as const;
    const here = { operation: 'write', path: destination, itself: true, detail: `from ${source}` } as const;
    await call.reach(away, (from) =>
      call.reach({ ...here, remedies: missingDirectory }, (to) =>
        from.boundary.rename(from.relative, to.relative, { into: to.boundary }),
      ),
    );
    return textResult(`Successfully moved ${escapeText(source)} to ${escapeText(destination)}`);
  },
});
