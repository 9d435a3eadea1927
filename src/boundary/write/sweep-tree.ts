import { setTimeout } from 'node:timers/promises';
import { RootwardError } from '../../errors.ts';
import { openDirectory } from '../read/list.ts';
import { removeIfDead } from '../read/sweep-temporaries.ts';
import { isTemporaryName } from '../read/temporary-name.ts';
import { walk, type Walk, type WalkEntry, type WalkOptions } from '../read/walk.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { translate } from '../system/errno.ts';

export interface SweepOptions extends Pick<WalkOptions, 'entries' | 'milliseconds' | 'signal'> {
  /** Called for each possible leftover with its path from the root, `/` between names. */
  readonly mayRemove: (path: string) => boolean | Promise<boolean>;
  /** Names of directories that are not entered. */
  readonly prune?: ReadonlySet<string>;
}

export interface TreeSweep {
  readonly removed: number;
  /** The limit that ended it early; `undefined` if it saw everything. */
  readonly stopped: Walk['stopped'];
}

/** Milliseconds of work, and of rest after it: this is background work, and calls run meanwhile. */
const rhythm = { work: 2, rest: 10 } as const;

/**
 * Walks a tree in the background and removes temporary files that killed writers left. Keeps files whose
 * writer is alive, and all files of other names. `signal` ends it at once.
 *
 * Not guaranteed: completeness. Leftovers beyond the limits are found by later listings and writes.
 */
export async function sweepTree(context: BoundaryContext, options: SweepOptions): Promise<TreeSweep> {
  const { mayRemove, milliseconds = Number.POSITIVE_INFINITY, signal } = options;
  const deadline = performance.now() + milliseconds;
  const rest = createRest(signal);
  const walked = walk(context, '.', walkOptionsOf(options));
  let removed = 0;
  for await (const batch of walked.batches()) {
    for (const path of batch.filter(isLeft).map((entry) => entry.path)) {
      await rest();
      if (performance.now() >= deadline) return { removed, stopped: 'time' };
      if ((await mayRemove(path)) && removeLeft(context, path)) removed += 1;
    }
    await rest();
  }
  return { removed, stopped: walked.stopped };
}

/** Rests if there was enough work since the last time. */
function createRest(signal: AbortSignal | undefined): () => Promise<void> {
  let since = performance.now();
  return async () => {
    signal?.throwIfAborted();
    if (performance.now() - since < rhythm.work) return;
    await setTimeout(rhythm.rest, undefined, { ref: false, ...(signal && { signal }) });
    since = performance.now();
  };
}

function walkOptionsOf({ prune = new Set(), entries, milliseconds, signal }: SweepOptions): WalkOptions {
  return {
    unfinished: true,
    // Shows files, so that there is a rest after each directory.
    choose: (name, kind) => (kind !== 'directory' ? 'show' : prune.has(name) ? 'skip' : 'enter'),
    ...(entries !== undefined && { entries }),
    ...(milliseconds !== undefined && { milliseconds }),
    ...(signal && { signal }),
  };
}

/** Whether an entry may be a leftover, by its name. */
function isLeft({ path, kind }: WalkEntry): boolean {
  return kind === 'file' && isTemporaryName(path.slice(path.lastIndexOf('/') + 1));
}

/** Returns whether it was removed: its writer may be alive or have finished, and directories come and go. */
function removeLeft(context: BoundaryContext, path: string): boolean {
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1);
  try {
    return removeIn(context, { path: at === -1 ? '.' : path.slice(0, at), name });
  } catch (error) {
    if (RootwardError.is(error)) return false;
    throw error;
  }
}

function removeIn(context: BoundaryContext, { path, name }: LeftFile): boolean {
  const { driver } = context;
  const request: BoundaryRequest = { operation: 'list', verb: 'sweep', path };
  const { directory } = openDirectory(context, request);
  try {
    return removeIfDead(driver, directory, { name, before: begun });
  } catch (error) {
    throw translate(error, request);
  } finally {
    driver.close(directory);
  }
}

interface LeftFile {
  readonly path: string;
  readonly name: string;
}

/** The start of this process by file system clocks, some of which lag slightly. */
const begun = performance.timeOrigin - 1_000;
