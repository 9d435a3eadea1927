import type { Boundary } from '../../boundary/boundary.ts';
import type { FileReader } from '../../boundary/file-reader.ts';
import { RootwardError } from '../../errors.ts';
import { limits } from '../limits.ts';
import type { FileHint, HintLine } from './ripgrep-events.ts';
import type { FoundLine } from './text-query.ts';

/**
 * Reads what ripgrep found once more, through the boundary. Ripgrep opens files by their paths: while it runs,
 * somebody could lead it out of the root, or into a file that a rule denies. Only lines that are in the file
 * that the boundary opens are results; `undefined` where there are none.
 */
export async function verifyHint(
  boundary: Boundary,
  path: string,
  { lines }: FileHint,
): Promise<readonly FoundLine[] | undefined> {
  try {
    await using reader = await boundary.open(path);
    const isThere = (await holdsBytes(reader, lines)) || (await holdsText(reader, lines));
    return isThere ? lines.map(toFound) : undefined;
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return undefined;
  }
}

/** What is read at once at most: lines that lie further apart are read one by one. */
const widest = 256 * 1024;

async function holdsBytes(reader: FileReader, lines: readonly HintLine[]): Promise<boolean> {
  const first = lines[0]?.offset ?? 0;
  const last = lines.at(-1);
  const end = last === undefined ? 0 : last.offset + last.bytes.length;
  const span = end - first <= widest ? await reader.read(first, end - first) : undefined;
  for (const { offset, bytes } of lines) {
    const there =
      span === undefined
        ? await reader.read(offset, bytes.length)
        : span.subarray(offset - first, offset - first + bytes.length);
    if (!there.equals(bytes)) return false;
  }
  return true;
}

/** A file that begins with a byte order mark is decoded by ripgrep, so its offsets are not those of the file. */
async function holdsText(reader: FileReader, lines: readonly HintLine[]): Promise<boolean> {
  const encoding = encodingOf(await reader.read(0, 3));
  if (encoding === undefined) return false;
  const text = new TextDecoder(encoding).decode(await reader.read(0, limits.searched));
  const there = text.split('\n');
  return lines.every(({ line, bytes }) => there[line - 1] === bytes.toString('utf8').replace(/\n$/, ''));
}

function encodingOf(mark: Buffer): string | undefined {
  const hex = mark.toString('hex');
  if (hex === 'efbbbf') return 'utf-8';
  if (hex.startsWith('fffe')) return 'utf-16le';
  return hex.startsWith('feff') ? 'utf-16be' : undefined;
}

/** A hint as a result, once it is known to be one. */
export function toFound({ line, bytes, start }: HintLine): FoundLine {
  const text = bytes.toString('utf8').replace(/\r?\n$/, '');
  return { line, text, ...(start === undefined ? {} : { at: bytes.toString('utf8', 0, start).length }) };
}
