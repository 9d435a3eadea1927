import { isUtf8 } from 'node:buffer';
import { formatPatch, structuredPatch, type StructuredPatch } from 'diff';
import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { limits, pathText } from '../tool/answer-limits.ts';
import { takeFitting, type TextOutput, textOutput, textResult } from '../tool/answer.ts';
import { realPlaceOf, reach, type ReachRequest } from '../tool/tool-call.ts';
import { defineTool, type Tool, type ToolResult } from '../tool/tool.ts';
import { applyEdits, countEnds, toPlain } from './apply-edits.ts';

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
      const place = await realPlaceOf(location, dryRun ? 'read' : 'write');
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

/**
 * What changed in a file, as a fenced block that no line in it can end. Takes a moment for any two texts: where they
 * have little in common, the lines of one stand as removed and those of the other as added.
 */
export function diffText(path: string, before: string, after: string): string {
  const patch = createPatch(escapeText(path), before, after);
  const longest = (patch.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${patch}${fence}\n\n`;
}

/**
 * What is compared. To compare takes lines × changed lines in time, and changed lines × changed lines in memory; who
 * changed so much reads the new text, not the difference.
 */
const diffLimits = {
  /** Characters of a text that is compared whole. */
  whole: 262_144,
  /** Characters and lines of what is shown, more than a message holds. */
  shown: 8_388_608,
  lines: 100_000,
  /** Lines that are removed and added. */
  changed: 1_500,
  milliseconds: 200,
  context: 4,
} as const;

function createPatch(path: string, before: string, after: string): string {
  const part = changedPart(before, after);
  const names = [path, path] as const;
  const headers = ['original', 'modified'] as const;
  if (isTooLong(part))
    return `--- ${path}\t${headers[0]}\n+++ ${path}\t${headers[1]}\n(too different to show line by line)\n`;
  const patch =
    structuredPatch(...names, part.before, part.after, ...headers, {
      context: diffLimits.context,
      maxEditLength: diffLimits.changed,
      timeout: diffLimits.milliseconds,
    }) ?? replacement(path, part);
  for (const hunk of patch.hunks) {
    hunk.oldStart += part.line;
    hunk.newStart += part.line;
  }
  return formatPatch(patch);
}

function isTooLong({ before, after }: EditedPart): boolean {
  if (before.length + after.length > diffLimits.shown) return true;
  return countEnds(before) + countEnds(after) > diffLimits.lines;
}

/** What lies between the lines that two texts begin and end with alike. */
interface EditedPart {
  readonly before: string;
  readonly after: string;
  /** How many lines come before it. */
  readonly line: number;
}

function changedPart(before: string, after: string): EditedPart {
  if (before.length + after.length <= diffLimits.whole) return { before, after, line: 0 };
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  const start = backLines(before, same);
  let end = 0;
  while (end < most - same && isSameAtEnd(before, after, end)) end += 1;
  const left = onLines(before, before.length - end);
  return {
    before: before.slice(start, left),
    after: after.slice(start, after.length - (before.length - left)),
    line: countEnds(before.slice(0, start)),
  };
}

function isSameAtEnd(one: string, other: string, end: number): boolean {
  return one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end);
}

/** The beginning of the line that lies so many lines before a place. */
function backLines(text: string, from: number): number {
  let start = lineStart(text, from);
  for (let lines = 0; lines < diffLimits.context && start > 0; lines += 1) start = lineStart(text, start - 1);
  return start;
}

function lineStart(text: string, from: number): number {
  return from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1;
}

/** The end of the line that lies so many lines after a place. */
function onLines(text: string, from: number): number {
  let at = from;
  for (let lines = 0; lines <= diffLimits.context; lines += 1) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

/** Everything removed, and everything added. */
function replacement(path: string, { before, after }: EditedPart): StructuredPatch {
  const removed = marked('-', before);
  const added = marked('+', after);
  const counted = (lines: readonly string[]): number => lines.filter((line) => !line.startsWith('\\')).length;
  const hunk = {
    oldStart: 1,
    oldLines: counted(removed),
    newStart: 1,
    newLines: counted(added),
    lines: [...removed, ...added],
  };
  return {
    oldFileName: path,
    newFileName: path,
    oldHeader: 'original',
    newHeader: 'modified',
    hunks: [hunk],
  };
}

function marked(mark: string, text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const isEnded = lines.at(-1) === '';
  if (isEnded) lines.pop();
  const shown = lines.map((line) => mark + line);
  return isEnded ? shown : [...shown, '\\ No newline at end of file'];
}
