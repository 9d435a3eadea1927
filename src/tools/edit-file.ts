import { z } from 'zod';
import { RootwardError } from '../errors.ts';
import { applyEdits } from './apply-edits.ts';
import { diffText } from './diff-text.ts';
import { limits } from './limits.ts';
import { placeOf } from './place-of.ts';
import { reach } from './reach.ts';
import { textOutput, textResult } from './text-result.ts';
import { defineTool, type Tool } from './tool.ts';

export const editFile: Tool = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Replaces pieces of a text file and shows the difference. Each edit replaces the first occurrence of ' +
    'its old text; if that is not there to the letter, lines that differ only in indentation count. ' +
    'All edits are made or none. With dryRun nothing is written.',
  operations: ['read', 'write'],
  effect: 'change',
  input: z.object({
    path: z.string().describe('Absolute, relative to the project, or a file URI'),
    edits: z.array(
      z.object({
        oldText: z.string().describe('What is there now'),
        newText: z.string().describe('What shall be there instead'),
      }),
    ),
    dryRun: z.boolean().default(false).describe('Only show what would change'),
  }),
  output: textOutput,
  run: ({ path, edits, dryRun }, call) =>
    reach(call, { operation: dryRun ? 'read' : 'write', path }, async (location) => {
      const { boundary, relative } = location;
      const { signal } = call;
      const before = await boundary.readText(relative, { limit: limits.edit, signal });
      if (before.includes('\0')) throw new RootwardError('NOT_TEXT', { verb: 'edit', path });
      const after = applyEdits(before, edits, path);
      if (!dryRun && after !== before) await boundary.write(relative, after, { signal });
      return textResult(diffText(await placeOf(location), plainLines(before), plainLines(after)));
    }),
});

/** Line ends stay as they are, so they are no difference to show. */
function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
