import { escapeLine } from '../../base/quote.ts';
import { limits } from '../tool/answer-limits.ts';
import { bytesInMessage } from '../tool/answer.ts';
import { compare } from '../tool/shown-path.ts';
import type { ProgressTicker } from '../tool/tool-call.ts';
import type { FileHits, FoundLine, HitStream } from './text-query.ts';

/** The parts of each file to show. */
export type HitShape = 'lines' | 'files' | 'counts';

export interface HitGatherOptions {
  readonly shape: HitShape;
  /** Maximum number of matching lines, or of files if only these are shown. */
  readonly limit: number;
  /** Number of results to skip at the beginning. */
  readonly offset?: number;
  /** Bytes of the result; as many as one message can hold by default. */
  readonly room?: number;
  /** Characters in front of each path when it is shown. */
  readonly ahead?: number;
  readonly tick: ProgressTicker;
}

export interface GatheredLine {
  readonly line: number;
  readonly text: string;
  readonly match: boolean;
}

export interface GatheredFile {
  readonly path: string;
  readonly matches: number;
  readonly lines: GatheredLine[];
}

export interface GatheredHits {
  readonly files: GatheredFile[];
  readonly matches: number;
  /** Whether nothing is left out at the end. */
  readonly complete: boolean;
  /** The offset to continue with, if there is more. */
  readonly next?: number;
}

/** Takes hits until there are enough, and sorts them. */
export async function gatherHits(hits: HitStream, options: HitGatherOptions): Promise<GatheredHits> {
  const gathering = new HitGathering(options);
  // Also reports progress while nothing is found.
  const beat = setInterval(() => gathering.report(), heartbeat);
  try {
    for (;;) {
      const next = await hits.next();
      if (next.done === true) return gathering.end(next.value.complete);
      const isRoom = gathering.add(next.value);
      gathering.report();
      if (isRoom) continue;
      await hits.return({ complete: false });
      return gathering.endFull();
    }
  } finally {
    clearInterval(beat);
  }
}

const heartbeat = 100;

class HitGathering {
  readonly #options: HitGatherOptions;
  readonly #files: GatheredFile[] = [];
  #matches = 0;
  /** Number of lines or files still to skip. */
  #skip: number;
  /** Number of lines or files shown. */
  #shown = 0;
  /** Remaining bytes of the result. */
  #room: number;

  constructor(options: HitGatherOptions) {
    this.#options = options;
    this.#skip = options.offset ?? 0;
    this.#room = Math.min(limits.answer, options.room ?? limits.answer);
  }

  report(): void {
    const { length } = this.#files;
    this.#options.tick(length, `${this.#matches} matches in ${length} files`);
  }

  /** Returns whether everything fitted; too many is known only after one too many. */
  add(hits: FileHits): boolean {
    const isLines = this.#options.shape === 'lines';
    const units = isLines ? hits.matches : 1;
    if (this.#skip >= units) {
      this.#skip -= units;
      return true;
    }
    this.#room -= bytesInMessage(hits.path) + aroundFile + (this.#options.ahead ?? 0);
    if (this.#shown === this.#options.limit || this.#room < 0) return false;
    if (isLines) return this.#addLines(hits);
    this.#push({ path: hits.path, matches: hits.matches, lines: [] }, 1);
    return true;
  }

  #addLines({ path, matches: all, lines }: FileHits): boolean {
    const skip = this.#skip;
    this.#skip = 0;
    const shown: GatheredLine[] = [];
    for (const found of lines(skip, this.#options.limit - this.#shown)) {
      const line = toLine(found);
      this.#room -= bytesInMessage(escapeLine(line.text)) + aroundLine;
      if (this.#room < 0) break;
      shown.push(line);
    }
    const matches = shown.filter(({ match }) => match).length;
    if (matches > 0) this.#push({ path, matches, lines: shown }, matches);
    return matches === all - skip;
  }

  #push(file: GatheredFile, units: number): void {
    this.#files.push(file);
    this.#matches += file.matches;
    this.#shown += units;
  }

  end(complete: boolean): GatheredHits {
    return { files: ordered(this.#files), matches: this.#matches, complete };
  }

  endFull(): GatheredHits {
    return { ...this.end(false), next: (this.#options.offset ?? 0) + this.#shown };
  }
}

/** JSON overhead of a path and of a line. */
const aroundFile = 48;
const aroundLine = 48;

function toLine({ line, text, at }: FoundLine): GatheredLine {
  return { line, text: shorten(text, at ?? 0), match: at !== undefined };
}

/** Shows the part of a long line around its match. */
function shorten(text: string, at: number): string {
  if (text.length <= limits.line) return text;
  const start = Math.max(0, Math.min(at - limits.line / 4, text.length - limits.line));
  const end = start + limits.line;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

function ordered(files: readonly GatheredFile[]): GatheredFile[] {
  return files.toSorted((one, other) =>
    compare(one.path.replaceAll('/', '\0'), other.path.replaceAll('/', '\0')),
  );
}

/** Formats results for a model: the path once, then its lines with numbers. */
export function formatHits({ files, matches, complete, next }: GatheredHits, shape: HitShape): string {
  const unfinished = next === undefined ? stopped : cutAt(next);
  if (files.length === 0) return complete ? 'No matches found' : `No matches found so far\n${unfinished}`;
  const body = files.map(formats[shape]).join(shape === 'lines' ? '\n\n' : '\n');
  const isEscaped =
    shape === 'lines' && files.some(({ lines }) => lines.some(({ text }) => escapeLine(text) !== text));
  const sum = `[${matches} matching lines in ${files.length} files]`;
  return `${body}\n\n${isEscaped ? `${escaped}\n` : ''}${complete ? (shape === 'files' ? `[${files.length} files]` : sum) : unfinished}`;
}

const escaped =
  '[Invisible characters are shown as \\u{…} in these lines: read the file to get them unchanged.]';

const stopped =
  '[Cut: not everything was searched, because it took too long. Narrow the search by path, globs or a longer pattern.]';

function cutAt(next: number): string {
  return `[Cut: there is more. To go on, call again with offset ${next}; or narrow the search by path, globs or a longer pattern.]`;
}

const formats: { readonly [Shape in HitShape]: (file: GatheredFile) => string } = {
  files: ({ path }) => path,
  counts: ({ path, matches }) => `${path}: ${matches}`,
  lines: ({ path, lines }) => [path, ...lines.flatMap(formatLine)].join('\n'),
};

/** Uses `:` for a match and `-` for a context line, and marks gaps between lines. */
function formatLine(
  { line, text, match }: GatheredLine,
  index: number,
  lines: readonly GatheredLine[],
): readonly string[] {
  const before = lines[index - 1];
  const hasContext = lines.some((other) => !other.match);
  const isApart = hasContext && before !== undefined && before.line !== line - 1;
  return [...(isApart ? ['--'] : []), `${line}${match ? ':' : '-'} ${escapeLine(text)}`];
}
