import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';
import { isInside } from '../path/inside.ts';
import type { Root } from '../path/root.ts';
import type { Rootward } from '../server/settings/rootward.ts';
import type { Trace } from '../server/settings/trace-event.ts';
import { prunedDirectories } from '../workspace/project/pruned-directories.ts';

/** Looks for what killed writers left, once in each root of the servers that it follows. */
export interface StartSweep {
  /** Listens: a client may list its roots later. */
  readonly trace: Trace;
  /** Looks through the roots of a server, of one that may write. */
  follow(rootward: RootsToSweep): void;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** What tells where to look, and whether somebody may write there. */
type RootsToSweep = Pick<Rootward, 'roots' | 'contains' | 'check'>;

export interface StartSweepOptions {
  readonly log: (event: object) => void;
  /** Milliseconds in which the first answers are given; 300 by default. */
  readonly calm?: number;
}

/** What one root may cost. What lies beyond is found by whoever lists or writes there. */
const bounds = { entries: 50_000, milliseconds: 5_000 } as const;

/**
 * A kill in the middle of a write leaves a file that no listing shows. Whoever starts next looks for such files in
 * the background, after the first answers, with rests; see decision 12 for why not everywhere.
 */
export function sweepAtStart(options: StartSweepOptions): StartSweep {
  return new Sweeper(options);
}

class Sweeper implements StartSweep {
  readonly #options: StartSweepOptions;
  readonly #ending = new AbortController();
  readonly #followed = new Set<RootsToSweep>();
  readonly #swept: string[] = [];
  #waiting = false;
  /** Somebody calls on stdio who has no roots to list. */
  #rootless = false;
  #placing = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: StartSweepOptions) {
    this.#options = options;
  }

  readonly trace: Trace = (event, connection) => {
    // What we place ourselves belongs to no call, and nobody has said a name with it.
    const isOurs = this.#placing && !('who' in event);
    const isNews = !this.#rootless && !isOurs && isRootless(event, connection);
    this.#rootless ||= isNews;
    if (isNews || event.kind === 'answered') this.#lookSoon();
  };

  follow(rootward: RootsToSweep): void {
    this.#followed.add(rootward);
    this.#lookSoon();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  #lookSoon(): void {
    if (this.#waiting || this.#followed.size === 0) return;
    this.#waiting = true;
    this.#running = this.#running
      .then(() => this.#look())
      .catch((error: unknown) => {
        if (this.#ending.signal.aborted) return;
        this.#options.log({ kind: 'sweep-failed', message: String(error) });
      });
  }

  async #look(): Promise<void> {
    const { log, calm = 300 } = this.#options;
    const { signal } = this.#ending;
    await setTimeout(calm, undefined, { ref: false, signal });
    this.#waiting = false;
    for (const rootward of this.#followed)
      for (const root of await this.#rootsToSweep(rootward)) {
        this.#swept.push(root.path);
        const removed = await sweepRoot(rootward, root, signal);
        log({ kind: 'swept', root: root.name, removed });
      }
  }

  /** Those that nobody has looked through. None while a client has yet to say what counts. */
  async #rootsToSweep(rootward: RootsToSweep): Promise<readonly Root[]> {
    this.#placing = true;
    const roots = await rootward.roots().finally(() => (this.#placing = false));
    if (!this.#rootless && rootward.contains(undefined, '/') === undefined) return [];
    return roots.filter(({ path }) => !this.#swept.some((known) => isInside(known, path)));
  }
}

/** From 2026-07-28 on a call says what its client can do. Nobody asks who has no roots, so that nothing is answered. */
function isRootless(...[event, connection]: Parameters<Trace>): boolean {
  if (event.kind !== 'composed' || connection?.modern !== true || connection.overHttp) return false;
  return event.capabilities?.['roots'] === undefined;
}

/** How many it removed. A root that is not there, or cannot be listed, has nothing to look through. */
async function sweepRoot(rootward: RootsToSweep, { path }: Root, signal: AbortSignal): Promise<number> {
  // As for a write of the model: in a root, by its rules, and with nobody to ask.
  const mayRemove = async (relative: string): Promise<boolean> =>
    (await rootward.check(undefined, { operation: 'write', path: join(path, relative) })).allowed;
  try {
    // What is mounted there may be slow, and may be large.
    await using boundary = await openBoundary(path, { mounts: 'refuse' });
    if (boundary.kind === 'file') return 0;
    return (await boundary.sweep({ ...bounds, mayRemove, prune, signal })).removed;
  } catch (error) {
    if (RootwardError.is(error)) return 0;
    throw error;
  }
}

const prune = new Set(prunedDirectories);
