import { isUtf8 } from 'node:buffer';
import { RootwardError } from '../../errors.ts';
import { readBytes } from '../read/read.ts';
import type { BoundaryContext, DiskChange } from '../step/context.ts';

/** Lines as a diff counts them. */
export type LineChange = NonNullable<DiskChange['lines']>;

/** Largest content, in bytes, whose lines are compared. */
export const mostCompared: number = 512 * 1024;

/** Added and removed lines up to which the shortest difference is looked for; its cost grows with the square. */
const mostDifferent = 400;

/**
 * Compares the lines of two texts as a diff does. Beyond 400 changed lines, a line that only moved counts as unchanged.
 * Returns `undefined` if one of them is not text in UTF-8 or is larger than 512 KiB.
 */
export async function compareLines(before: Uint8Array, after: Uint8Array): Promise<LineChange | undefined> {
  if (!isComparable(before) || !isComparable(after)) return undefined;
  if (Buffer.compare(before, after) === 0) return { added: 0, removed: 0 };
  const [old, now] = withoutCommonEnds(linesOf(before), linesOf(after));
  if (old.length === 0 || now.length === 0) return { added: now.length, removed: old.length };
  const least = countUnmatched(old, now);
  // In most edits the changed part has no line in common with what it replaces, and nothing is left to look for.
  if (least.added === now.length || least.added + least.removed > mostDifferent) return least;
  const { diffArrays } = await import('diff');
  const parts = diffArrays([...old], [...now], { maxEditLength: mostDifferent });
  if (parts === undefined) return least;
  const count = (kind: 'added' | 'removed'): number =>
    parts.reduce((sum, part) => (part[kind] ? sum + part.value.length : sum), 0);
  return { added: count('added'), removed: count('removed') };
}

/**
 * Compares new content with that of the file it will replace; a missing file has no lines. Returns `undefined` without a
 * witness, which alone needs it, and where the old content may not be read.
 */
export async function compareWithFile(
  context: BoundaryContext,
  path: string,
  after: Uint8Array,
): Promise<LineChange | undefined> {
  if (context.witness === undefined || !isComparable(after)) return undefined;
  const before = await readBefore(context, path);
  return before && compareLines(before, after);
}

async function readBefore(context: BoundaryContext, path: string): Promise<Uint8Array | undefined> {
  try {
    return await readBytes(context, path, { limit: mostCompared });
  } catch (error) {
    return RootwardError.is(error, 'NOT_FOUND') ? new Uint8Array() : undefined;
  }
}

function isComparable(bytes: Uint8Array): boolean {
  return bytes.length <= mostCompared && !bytes.includes(0) && isUtf8(bytes);
}

/** Each line with its end: a last line that gains a line break has changed. */
function linesOf(bytes: Uint8Array): readonly string[] {
  return (
    Buffer.from(bytes)
      .toString('utf8')
      .match(/[^\n]*\n|[^\n]+/g) ?? []
  );
}

type TwoTexts = readonly [old: readonly string[], now: readonly string[]];

function withoutCommonEnds(old: readonly string[], now: readonly string[]): TwoTexts {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return [old.slice(start, old.length - end), now.slice(start, now.length - end)];
}

/** Counts the lines that only one of the texts has, wherever they are: a diff has at least these. */
function countUnmatched(old: readonly string[], now: readonly string[]): LineChange {
  const left = new Map<string, number>();
  for (const line of old) left.set(line, (left.get(line) ?? 0) + 1);
  let added = 0;
  for (const line of now) {
    const count = left.get(line) ?? 0;
    if (count === 0) added += 1;
    else left.set(line, count - 1);
  }
  return { added, removed: old.length - (now.length - added) };
}
