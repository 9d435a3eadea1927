import { isUtf8 } from 'node:buffer';
import { formatPatch, structuredPatch, type StructuredPatch } from 'diff';
import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { limits, pathText } from '../tool/answer-limits.ts';
import { takeFitting, type TextOutput, textOutput, textResult } from '../tool/answer.ts';
import { realPlaceOf } from '../tool/search-start.ts';
import type { ReachRequest } from '../tool/tool.ts';
import { defineTool, type Tool, type ToolResult } from '../tool/tool.ts';
import { applyEdits, countEnds, toPlain } from './apply-edits.ts';

export const editFile: Tool = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Replaces pieces of a text file and shows the difference. Each edit replaces the first occurrence of ' +
    'its old text; if there is no exact match, lines that differ only in indentation match. ' +
    'All edits are made or none. With dryRun nothing is written. Text in other encodings than UTF-8 is refused.',
  operations: ['read', 'write'],
  effect: 'change',
  input: z.object({
    path: pathText.describe('Absolute, relative to the project, or a file URI'),
    edits: z
      .array(
        z.object({
          oldText: z.string().max(limits.edit).describe('The text to replace'),
          newText: z.string().max(limits.edit).describe('The text to put in its place'),
        }),
      )
      .max(limits.edits),
    dryRun: z.boolean().default(false).describe('Only show what would change'),
  }),
  output: textOutput,
  run: ({ path, edits, dryRun }, call) =>
    call.reach(toReach(path, edits.length, dryRun), async (location) => {
      const { boundary, relative } = location;
      const options = { limit: limits.edit, signal: call.signal };
      const place = await realPlaceOf(location, dryRun ? 'read' : 'write');
      // The result is computed before the file changes, so that nothing can fail afterwards.
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
  TOO_LARGE: 'Split the file, or replace all of it; nothing was changed',
} as const;

/** The whole file is written back, so text that cannot be decoded without loss is refused. */
function decode(bytes: Buffer, path: string): string {
  if (bytes.includes(0)) throw new RootwardError('NOT_TEXT', { verb: 'edit', path });
  if (!isUtf8(bytes)) throw new RootwardError('NOT_UTF8', { verb: 'edit', path });
  return bytes.toString('utf8');
}

/** Line ends are preserved, so they are not shown as differences. */
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
    '[Cut: the difference is too long to show. All edits were made, or would be in a dry run.]',
  );
}

/**
 * Returns a diff as a fenced block that no line in it can close. It is quick for any two texts: if they have little in
 * common, all old lines are shown as removed and all new ones as added.
 */
export function diffText(path: string, before: string, after: string): string {
  const patch = createPatch(escapeText(path), before, after);
  const longest = (patch.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${patch}${fence}\n\n`;
}

/**
 * Limits of a diff. Comparing takes lines × changed lines in time, and changed lines squared in memory; after such
 * large changes the new text is more useful than the diff.
 */
const diffLimits = {
  /** Maximum number of characters to compare as a whole. */
  whole: 262_144,
  /** Maximum number of characters and lines to show, more than a message holds. */
  shown: 8_388_608,
  lines: 100_000,
  /** Maximum number of removed and added lines. */
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

/** The part between the common first and last lines of two texts. */
interface EditedPart {
  readonly before: string;
  readonly after: string;
  /** Number of lines before it. */
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

/** Returns the beginning of the line that is `context` lines before a position. */
function backLines(text: string, from: number): number {
  let start = lineStart(text, from);
  for (let lines = 0; lines < diffLimits.context && start > 0; lines += 1) start = lineStart(text, start - 1);
  return start;
}

function lineStart(text: string, from: number): number {
  return from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1;
}

/** Returns the end of the line that is `context` lines after a position. */
function onLines(text: string, from: number): number {
  let at = from;
  for (let lines = 0; lines <= diffLimits.context; lines += 1) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

/** Shows everything as removed and added. */
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
