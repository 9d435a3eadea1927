import { limits } from '../limits.ts';
import { compare } from '../order-paths.ts';
import type { Ticker } from '../progress-ticker.ts';
import type { FileHits, FoundLine, Hits } from './text-query.ts';

/** What is shown of each file. */
export type HitShape = 'lines' | 'files' | 'counts';

export interface GatherOptions {
  readonly shape: HitShape;
  /** Of matching lines, or of files where only these are shown. */
  readonly limit: number;
  readonly tick: Ticker;
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

export interface Gathered {
  readonly files: GatheredFile[];
  readonly matches: number;
  /** Nothing was left out. */
  readonly complete: boolean;
}

/** Takes hits until there are enough, and puts them in order. */
export async function gatherHits(hits: Hits, { shape, limit, tick }: GatherOptions): Promise<Gathered> {
  const files: GatheredFile[] = [];
  let matches = 0;
  const report = (): void => tick(files.length, `${matches} matches in ${files.length} files`);
  // A search that finds nothing says so on the way, too.
  const beat = setInterval(report, heartbeat);
  try {
    return await take();
  } finally {
    clearInterval(beat);
  }

  async function take(): Promise<Gathered> {
    const end = (complete: boolean): Gathered => ({ files: ordered(files), matches, complete });
    for (;;) {
      const next = await hits.next();
      if (next.done === true) return end(next.value.complete);
      const count = shape === 'lines' ? matches : files.length;
      const room = limit - count;
      if (room > 0) {
        const file = toGathered(next.value, shape, room);
        files.push(file);
        matches += file.matches;
        report();
      }
      // Known to be too many only when there is one too many.
      if (room <= 0 || (shape === 'lines' && matchesIn(next.value.lines) > room)) {
        await hits.return({ complete: false });
        return end(false);
      }
    }
  }
}

const heartbeat = 100;

function toGathered({ path, lines }: FileHits, shape: HitShape, room: number): GatheredFile {
  if (shape !== 'lines') return { path, matches: matchesIn(lines), lines: [] };
  const shown = firstMatches(lines, room);
  return { path, matches: matchesIn(shown), lines: shown.map(toLine) };
}

function matchesIn(lines: readonly FoundLine[]): number {
  return lines.filter(({ at }) => at !== undefined).length;
}

/** So many matches, and what is around them. */
function firstMatches(lines: readonly FoundLine[], most: number): readonly FoundLine[] {
  const places = [...lines.keys()].filter((index) => lines[index]?.at !== undefined);
  const next = places[most];
  return next === undefined ? lines : lines.slice(0, next);
}

function toLine({ line, text, at }: FoundLine): GatheredLine {
  return { line, text: shorten(text, at ?? 0), match: at !== undefined };
}

/** A long line is shown around its match. */
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
