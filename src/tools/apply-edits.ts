import { RootwardError } from '../errors.ts';
import { joinLines, type LineEnds, splitEnds, toPlain } from './line-ends.ts';

/** One replacement. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/**
 * Replaces texts one after the other, each where it occurs first. What is not there to the letter is looked
 * for line by line without regard to indentation, and gets the indentation of the file. Line ends count as
 * equal; every line that is not replaced keeps its own, and new ones get that of the line before them.
 *
 * @throws {RootwardError} `EDIT_NOT_FOUND`
 */
export function applyEdits(text: string, edits: readonly Edit[], path: string): string {
  return joinLines(
    edits.reduce((current, { oldText, newText }) => {
      const edit = { oldText: toPlain(oldText), newText: toPlain(newText) };
      const splice = findExactly(current.plain, edit) ?? findByLines(current.plain, edit);
      if (splice === undefined) throw new RootwardError('EDIT_NOT_FOUND', { path, text: oldText });
      return apply(current, splice);
    }, splitEnds(text)),
  );
}

function findExactly(text: string, { oldText, newText }: Edit): Splice | undefined {
  const start = text.indexOf(oldText);
  return start === -1 ? undefined : { start, end: start + oldText.length, text: newText };
}

/** From one character to before another, and what comes there instead. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function findByLines(text: string, { oldText, newText }: Edit): Splice | undefined {
  const lines = text.split('\n');
  const wanted = oldText.split('\n');
  const first = findLines(lines, wanted);
  if (first === undefined) return undefined;
  const found = lines.slice(first, first + wanted.length);
  const start = lines.slice(0, first).reduce((sum, { length }) => sum + length + 1, 0);
  const replaced = newText.split('\n').map(indenter(wanted, found));
  return { start, end: start + found.join('\n').length, text: replaced.join('\n') };
}

function findLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const trimmed = lines.map((line) => line.trim());
  const sought = wanted.map((line) => line.trim());
  // Blank lines alone would match nearly everywhere.
  if (sought.every((line) => line === '')) return undefined;
  const last = lines.length - wanted.length;
  for (let start = 0; start <= last; start += 1) {
    if (sought.every((line, index) => trimmed[start + index] === line)) return start;
  }
  return undefined;
}

/** Translates indentation: where the old text had this much, the file has that much. */
function indenter(wanted: readonly string[], found: readonly string[]): (line: string) => string {
  const known = new Map<string, string>();
  for (const [index, line] of wanted.entries()) {
    const indent = indentOf(line);
    if (line.trim() !== '' && !known.has(indent)) known.set(indent, indentOf(found[index] ?? ''));
  }
  const longestFirst = [...known].toSorted(([one], [other]) => other.length - one.length);
  return (line) => {
    if (line.trim() === '') return line;
    const indent = indentOf(line);
    const [from, to] = longestFirst.find(([prefix]) => indent.startsWith(prefix)) ?? ['', ''];
    return to + line.slice(from.length);
  };
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function apply({ plain, ends }: LineEnds, { start, end, text }: Splice): LineEnds {
  const before = countLines(plain.slice(0, start));
  const replaced = countLines(plain.slice(start, end));
  const usual = ends[before + replaced - 1] ?? ends[before] ?? '\n';
  const added = Array.from({ length: countLines(text) }, (_, index) =>
    index < replaced ? (ends[before + index] ?? usual) : usual,
  );
  return {
    plain: plain.slice(0, start) + text + plain.slice(end),
    ends: [...ends.slice(0, before), ...added, ...ends.slice(before + replaced)],
  };
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
