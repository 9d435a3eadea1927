import { setTimeout } from 'node:timers/promises';
import { RootwardError } from '../errors.ts';
import type { BoundaryContext, Guard, Request } from './context.ts';
import { translate } from './errno.ts';
import { openDirectory } from './list.ts';
import { removeIfDead } from './sweep-temporaries.ts';
import { walk, type Walk, type WalkOptions } from './walk.ts';

export interface SweepOptions extends Pick<WalkOptions, 'entries' | 'milliseconds' | 'signal'> {
  /** Asked about each file that may be a leaving: its path from the root, with `/` between names. */
  readonly mayRemove: (path: string) => boolean | Promise<boolean>;
  /** Names of directories that are not entered. */
  readonly prune?: ReadonlySet<string>;
}

export interface Swept {
  readonly removed: number;
  /** Which limit ended it early; `undefined` if it saw everything. */
  readonly stopped: Walk['stopped'];
}

/** Milliseconds of work, and of rest after it: nobody waits for this, and others do work here. */
const rhythm = { work: 2, rest: 10 } as const;

/**
 * Goes through a tree in the background, and removes what killed writers left there. What is written by a process
 * that lives stays, and so does everything that has another name. Waits for nobody: `signal` ends it at once.
 *
 * Not guaranteed: that it finds everything. What lies beyond the bounds is found by whoever lists or writes there.
 */
export async function sweepTree(context: BoundaryContext, options: SweepOptions): Promise<Swept> {
  const { mayRemove, prune = new Set(), entries, milliseconds, signal } = options;
  // Before a walk passes over a file that is not finished, it asks whether it may write there.
  const found: string[] = [];
  const guard: Guard = (operation, path) => {
    if (operation === 'write') found.push(path);
    return operation === 'write' ? leave : undefined;
  };
  const walked = walk({ ...context, guard }, '.', {
    // Files are shown, so that there is a rest after each directory.
    choose: (name, kind) => (kind !== 'directory' ? 'show' : prune.has(name) ? 'skip' : 'enter'),
    ...(entries !== undefined && { entries }),
    ...(milliseconds !== undefined && { milliseconds }),
    ...(signal && { signal }),
  });
  await pass(walked, signal);
  let removed = 0;
  for (const path of found) {
    signal?.throwIfAborted();
    if ((await mayRemove(path)) && removeLeft(context, path)) removed += 1;
  }
  return { removed, stopped: walked.stopped };
}

const leave = new Error('it is looked at, and not touched');

/** To its end, with rests. */
async function pass(walked: Walk, signal: AbortSignal | undefined): Promise<void> {
  let since = performance.now();
  for await (const _ of walked.batches()) {
    if (performance.now() - since < rhythm.work) continue;
    await setTimeout(rhythm.rest, undefined, { ref: false, ...(signal && { signal }) });
    since = performance.now();
  }
}

/** Says whether it did: who wrote it may be alive, or have finished meanwhile, and directories come and go. */
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

function removeIn(context: BoundaryContext, { path, name }: Left): boolean {
  const { driver } = context;
  const request: Request = { operation: 'list', verb: 'sweep', path };
  const { directory } = openDirectory(context, request);
  try {
    return removeIfDead(driver, directory, { name, before: begun });
  } catch (error) {
    throw translate(error, request);
  } finally {
    driver.close(directory);
  }
}

interface Left {
  readonly path: string;
  readonly name: string;
}

/** When this process began, as clocks of file systems see it: some are slow by a moment. */
const begun = performance.timeOrigin - 1_000;
