import { RootwardError } from '../errors.ts';

/** One replacement. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/**
 * Replaces texts one after the other, each where it occurs first. What is not there to the letter is looked
 * for line by line without regard to indentation, and gets the indentation of the file. Line ends stay those
 * of the file.
 *
 * @throws {RootwardError} `EDIT_NOT_FOUND`
 */
export function applyEdits(text: string, edits: readonly Edit[], path: string): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const plain = edits.reduce((current, { oldText, newText }) => {
    const edit = { oldText: toPlain(oldText), newText: toPlain(newText) };
    const edited = replaceExactly(current, edit) ?? replaceLines(current, edit);
    if (edited === undefined) throw new RootwardError('EDIT_NOT_FOUND', { path, text: oldText });
    return edited;
  }, toPlain(text));
  return lineEnd === '\n' ? plain : plain.replaceAll('\n', lineEnd);
}

function toPlain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function replaceExactly(text: string, { oldText, newText }: Edit): string | undefined {
  const start = text.indexOf(oldText);
  if (start === -1) return undefined;
  return text.slice(0, start) + newText + text.slice(start + oldText.length);
}

function replaceLines(text: string, { oldText, newText }: Edit): string | undefined {
  const lines = text.split('\n');
  const wanted = oldText.split('\n');
  const start = findLines(lines, wanted);
  if (start === undefined) return undefined;
  const found = lines.slice(start, start + wanted.length);
  const replaced = newText.split('\n').map(indenter(wanted, found));
  return lines.toSpliced(start, wanted.length, ...replaced).join('\n');
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
