import { endAfter, ended } from '../../base/end-after.ts';
import { RootwardError } from '../../errors.ts';

/** One replacement. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/**
 * Replaces texts one after the other, each at its first occurrence. A text without an exact match is searched line
 * by line, ignoring indentation, and gets the indentation of the file. Line ends count as equal; unchanged lines
 * keep their own, and new ones get that of the line before them.
 *
 * Each edit scans the file, so many edits of a large file are refused: they would block the process.
 *
 * @throws {RootwardError} `EDIT_NOT_FOUND`, `TOO_MUCH_WORK`
 */
export function applyEdits(text: string, edits: readonly TextEdit[], path: string): string {
  if (text.length * edits.length <= small) return applyAll(text, edits, path);
  const edited = endAfter(longest, () => applyAll(text, edits, path));
  if (edited === ended) throw tooMuch(path);
  return edited;
}

/** Characters times edits up to which the step budget alone is enough; a time limit costs a millisecond to set up. */
const small = 16_384;

/** Milliseconds; for a machine that is much slower than expected. */
const longest = 1_000;

function applyAll(text: string, edits: readonly TextEdit[], path: string): string {
  const spend = createBudget(path);
  if (text.includes('\r\n')) spend(countEnds(text) * costs.end);
  let current = splitEnds(text);
  for (const { oldText, newText } of edits) {
    const edit = { oldText: toPlain(oldText), newText: toPlain(newText) };
    spend(current.plain.length + (typeof current.ends === 'string' ? 0 : current.ends.length * costs.end));
    const splice = findExactly(current.plain, edit, spend) ?? findByLines(current.plain, edit, spend);
    if (splice === undefined) throw new RootwardError('EDIT_NOT_FOUND', { path, text: oldText });
    current = apply(current, splice);
  }
  return joinLines(current);
}

/** Maximum number of steps of all edits of one call, a few tenths of a second: 8 edits of 8 MiB, 500 of 128 KiB. */
const most = 67_108_864;

/** Costs in steps: splitting off a line, keeping a line end, comparing a possible position. */
const costs = { line: 256, end: 128, place: 512 } as const;

type SpendSteps = (steps: number) => void;

function createBudget(path: string): SpendSteps {
  let left = most;
  return (steps) => {
    left -= steps;
    if (left < 0) throw tooMuch(path);
  };
}

function tooMuch(path: string): RootwardError<'TOO_MUCH_WORK'> {
  const remedy = 'Send fewer edits at once, with shorter old texts; nothing was changed';
  return new RootwardError('TOO_MUCH_WORK', { verb: 'edit', path, remedy });
}

/** Maximum length for `indexOf`, because a search for a longer text can be made to rescan the same characters. */
const searchable = 250;

function findExactly(text: string, { oldText, newText }: TextEdit, spend: SpendSteps): Splice | undefined {
  const beginning = oldText.slice(0, searchable);
  let start = text.indexOf(beginning);
  while (start !== -1 && !text.startsWith(oldText, start)) {
    spend(costs.place + oldText.length);
    start = text.indexOf(beginning, start + 1);
  }
  return start === -1 ? undefined : { start, end: start + oldText.length, text: newText };
}

/** A replacement of the characters from `start` to before `end`. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function findByLines(text: string, { oldText, newText }: TextEdit, spend: SpendSteps): Splice | undefined {
  spend((countEnds(text) + countEnds(oldText) + countEnds(newText)) * costs.line);
  const lines = text.split('\n');
  const wanted = oldText.split('\n');
  const first = findLines(lines, wanted, spend);
  if (first === undefined) return undefined;
  const found = lines.slice(first, first + wanted.length);
  const start = lines.slice(0, first).reduce((sum, { length }) => sum + length + 1, 0);
  const replaced = newText.split('\n').map(indenter(wanted, found));
  return { start, end: start + found.join('\n').length, text: replaced.join('\n') };
}

function findLines(
  lines: readonly string[],
  wanted: readonly string[],
  spend: SpendSteps,
): number | undefined {
  const trimmed = lines.map((line) => line.trim());
  const sought = wanted.map((line) => line.trim());
  // Blank lines alone would match nearly everywhere.
  if (sought.every((line) => line === '')) return undefined;
  const last = lines.length - wanted.length;
  for (let start = 0; start <= last; start += 1) {
    const differs = sought.findIndex((line, index) => trimmed[start + index] !== line);
    if (differs === -1) return start;
    spend(differs * costs.line);
  }
  return undefined;
}

/** Maximum number of indentation levels, because every new line is compared with each. */
const mostIndents = 64;

/** Translates the indentation of the old text to that of the file. */
function indenter(wanted: readonly string[], found: readonly string[]): (line: string) => string {
  const known = new Map<string, string>();
  for (const [index, line] of wanted.entries()) {
    const indent = indentOf(line);
    if (line.trim() !== '' && !known.has(indent)) known.set(indent, indentOf(found[index] ?? ''));
    if (known.size === mostIndents) break;
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
  const changed = plain.slice(0, start) + text + plain.slice(end);
  if (typeof ends === 'string') return { plain: changed, ends };
  const before = countEnds(plain.slice(0, start));
  const replaced = countEnds(plain.slice(start, end));
  const usual = ends[before + replaced - 1] ?? ends[before] ?? '\n';
  const added = Array.from({ length: countEnds(text) }, (_, index) =>
    index < replaced ? (ends[before + index] ?? usual) : usual,
  );
  return { plain: changed, ends: [...ends.slice(0, before), ...added, ...ends.slice(before + replaced)] };
}

/** A text with uniform line ends, and the original ends. */
export interface LineEnds {
  readonly plain: string;
  /** The end of every line; or, if they differ, a list of the ends in order. */
  readonly ends: string | readonly string[];
}

export function splitEnds(text: string): LineEnds {
  const plain = toPlain(text);
  const long = text.length - plain.length;
  if (long === 0) return { plain, ends: '\n' };
  if (long === countEnds(plain)) return { plain, ends: '\r\n' };
  return { plain, ends: text.match(/\r?\n/g) ?? [] };
}

export function toPlain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Counts the line ends of a plain text. */
export function countEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Restores the original line ends. */
export function joinLines({ plain, ends }: LineEnds): string {
  if (typeof ends === 'string') return ends === '\n' ? plain : plain.replaceAll('\n', ends);
  let line = -1;
  return plain.replaceAll('\n', () => ends[(line += 1)] ?? '\n');
}
