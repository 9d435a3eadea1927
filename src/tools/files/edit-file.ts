import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { RootwardError } from '../../errors.ts';
import { takeFitting } from '../tool/answer-size.ts';
import { applyEdits } from './apply-edits.ts';
import { diffText } from './diff-text.ts';
import { pathText } from '../tool/inputs.ts';
import { limits } from '../tool/answer-limits.ts';
import { toPlain } from './line-ends.ts';
import { placeOf } from '../tool/place-of.ts';
import { reach, type ReachRequest } from '../tool/reach.ts';
import { type TextOutput, textOutput, textResult } from '../tool/answer.ts';
import { defineTool, type Tool, type ToolResult } from '../tool/tool.ts';

export const editFile: Tool = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Replaces pieces of a text file and shows the difference. Each edit replaces the first occurrence of ' +
    'its old text; if that is not there to the letter, lines that differ only in indentation count. ' +
    'All edits are made or none. With dryRun nothing is written. Text in other encodings than UTF-8 is refused.',
  operations: ['read', 'write'],
  effect: 'change',
  input: z.object({
    path: pathText.describe('Absolute, relative to the project, or a file URI'),
    edits: z
      .array(
        z.object({
          oldText: z.string().max(limits.edit).describe('What is there now'),
          newText: z.string().max(limits.edit).describe('What shall be there instead'),
        }),
      )
      .max(limits.edits),
    dryRun: z.boolean().default(false).describe('Only show what would change'),
  }),
  output: textOutput,
  run: ({ path, edits, dryRun }, call) =>
    reach(call, toReach(path, edits.length, dryRun), async (location) => {
      const { boundary, relative } = location;
      const options = { limit: limits.edit, signal: call.signal };
      const place = await placeOf(location, dryRun ? 'read' : 'write');
      // All that can fail is done before the file changes: the answer is made when the change is.
      const made: { answer?: ToolResult<TextOutput> } = {};
      const change = (bytes: Buffer): string | undefined => {
        const before = decode(bytes, path);
        const after = applyEdits(before, edits, path);
        made.answer = differenceOf(place, { before, after });
        return after === before ? undefined : after;
      };
      if (dryRun) change(await boundary.readBytes(relative, options));
      else await boundary.update(relative, change, options);
      return made.answer ?? differenceOf(place, { before: '', after: '' });
    }),
});

function toReach(path: string, edits: number, dryRun: boolean): ReachRequest {
  if (dryRun) return { operation: 'read', path, remedies };
  return { operation: 'write', path, remedies, detail: edits === 1 ? '1 edit' : `${edits} edits` };
}

const remedies = {
  TOO_LARGE: 'Split the file, or write it anew as a whole; nothing was changed',
} as const;

/** Everything is written back, so what cannot be read without loss is not edited. */
function decode(bytes: Buffer, path: string): string {
  if (bytes.includes(0)) throw new RootwardError('NOT_TEXT', { verb: 'edit', path });
  if (!isUtf8(bytes)) throw new RootwardError('NOT_UTF8', { verb: 'edit', path });
  return bytes.toString('utf8');
}

/** Line ends stay as they are, so they are no difference to show. */
function differenceOf(
  place: string,
  { before, after }: { readonly before: string; readonly after: string },
): ToolResult<TextOutput> {
  const text = diffText(place, toPlain(before), toPlain(after));
  const lines = text.split('\n');
  const shown = takeFitting(lines);
  if (shown.length === lines.length) return textResult(text);
  return textResult(
    shown.join('\n'),
    '[Cut: the difference is too long to show. The edits were made as asked, or would be.]',
  );
}
