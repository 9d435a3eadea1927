import { sortInTurns, Turns } from '../../base/turns.ts';
import type { WalkChoice } from '../../boundary/read/walk.ts';
import type { EntryKind } from '../../boundary/system/file-info.ts';
import { RootwardError } from '../../errors.ts';
import { prunedDirectories } from '../../workspace/project/pruned-directories.ts';
import type { SearchStart } from '../tool/search-start.ts';
import type { ProgressTicker } from '../tool/tool-call.ts';
import { docKindOf, outlineOf } from './doc-outline.ts';
import type { DocText } from './doc-score.ts';

/** Limits of one search. Only the beginning of a long document is read. */
const bounds = { files: 2_000, bytes: 256 * 1024, all: 32 * 1024 * 1024, milliseconds: 15_000 } as const;
const walking = { entries: 300_000, gitignore: true, depth: 24 } as const;

export interface GatheredDocs<Kept> {
  readonly docs: readonly Kept[];
  /** Whether every document was read. */
  readonly complete: boolean;
}

export interface DocGatherOptions<Kept> {
  /** Extracts what to keep of a document. The text itself is dropped, because all of them may be large. */
  readonly keep: (doc: DocText) => Kept | undefined;
  /** When to stop, in terms of `performance.now`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly tick: ProgressTicker;
}

/** Reads every document in a directory, except ignored and vendored ones. */
export async function gatherDocs<Kept>(
  start: SearchStart,
  { keep, signal, tick, ...options }: DocGatherOptions<Kept>,
): Promise<GatheredDocs<Kept>> {
  const deadline = Math.min(options.deadline, performance.now() + bounds.milliseconds);
  const milliseconds = (deadline - performance.now()) / 2;
  const walk = start.boundary.walk(start.relative, { ...walking, milliseconds, choose, signal });
  const found: DocPlace[] = [];
  for await (const { path, kind } of walk)
    if (kind === 'file' && docKindOf(path) !== undefined) found.push({ path, depth: path.split('/').length });
  const docs: Kept[] = [];
  const turns = new Turns(signal);
  let [read, bytes] = [0, 0];
  const wanted = await sortInTurns(found, byDepth, signal);
  for (const { path } of wanted) {
    signal.throwIfAborted();
    if (turns.isOver) await turns.next();
    if (read >= bounds.files || bytes > bounds.all || performance.now() > deadline) break;
    const doc = await readDoc(start, path, signal);
    if (doc === undefined) continue;
    const kept = keep(doc);
    if (kept !== undefined) docs.push(kept);
    read += 1;
    bytes += doc.text.length;
    tick(read, `${read} of ${wanted.length} documents read`);
  }
  const isCut = read >= bounds.files || bytes > bounds.all || performance.now() > deadline;
  return { docs, complete: walk.stopped === undefined && !isCut };
}

/** A document that was found and not read yet. */
interface DocPlace {
  readonly path: string;
  readonly depth: number;
}

const pruned: ReadonlySet<string> = new Set(prunedDirectories);

function choose(name: string, kind: EntryKind): WalkChoice {
  if (kind === 'directory') return pruned.has(name) ? 'skip' : 'enter';
  return 'enter';
}

/** Documents near the top come first, so that they are kept if there are too many. */
function byDepth(one: DocPlace, other: DocPlace): number {
  return one.depth - other.depth || (one.path < other.path ? -1 : 1);
}

/** Returns `undefined` for a file that cannot be read or is not text. */
async function readDoc(
  { boundary }: SearchStart,
  path: string,
  signal: AbortSignal,
): Promise<DocText | undefined> {
  const { kind, format } = docKindOf(path) ?? { kind: 'other', format: 'text' };
  try {
    const bytes = await boundary.readBytes(path, { end: bounds.bytes, signal });
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    if (text.includes('\0')) return undefined;
    return { path, kind, outline: outlineOf(text, format), text };
  } catch (error) {
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}
