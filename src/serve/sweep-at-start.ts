import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';
import { isInside } from '../path/inside.ts';
import type { Root } from '../path/root.ts';
import type { Rootward } from '../server/settings/rootward.ts';
import type { Trace } from '../server/settings/trace-event.ts';
import { prunedDirectories } from '../workspace/project/pruned-directories.ts';

/** Removes the leftovers of killed writers, once in each root of the servers it follows. */
export interface StartSweep {
  /** Observes new roots, which a client may list later. */
  readonly trace: Trace;
  /** Sweeps the roots of a server, if it may write there. */
  follow(rootward: RootsToSweep): void;
  /** Stops a running sweep. */
  close(): Promise<void>;
}

/** The methods that tell where to sweep and whether writing is allowed there. */
type RootsToSweep = Pick<Rootward, 'roots' | 'contains' | 'check'>;

export interface StartSweepOptions {
  readonly log: (event: object) => void;
  /** Milliseconds for the first answers; 300 by default. */
  readonly calm?: number;
}

/** The limits per root. Leftovers beyond them are removed by the next listing or write there. */
const bounds = { entries: 50_000, milliseconds: 5_000 } as const;

/**
 * A kill during a write leaves a temporary file that listings hide. The next start removes such files in the
 * background, after the first answers and with pauses. Decision 12 says why it does not search everywhere.
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
  /** A client on stdio has no roots to list. */
  #rootless = false;
  #placing = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: StartSweepOptions) {
    this.#options = options;
  }

  readonly trace: Trace = (event, connection) => {
    // An event caused by this sweep belongs to no call and names no client.
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

  /** The roots that have not been swept; none while a client still has to list its own. */
  async #rootsToSweep(rootward: RootsToSweep): Promise<readonly Root[]> {
    this.#placing = true;
    const roots = await rootward.roots().finally(() => (this.#placing = false));
    if (!this.#rootless && rootward.contains(undefined, '/') === undefined) return [];
    return roots.filter(({ path }) => !this.#swept.some((known) => isInside(known, path)));
  }
}

/**
 * Whether the client has no roots. From 2026-07-28 on a call declares it; such a client is never asked, so no
 * answer tells it.
 */
function isRootless(...[event, connection]: Parameters<Trace>): boolean {
  if (event.kind !== 'composed' || connection?.modern !== true || connection.overHttp) return false;
  return event.capabilities?.['roots'] === undefined;
}

/** Sweeps a root and returns how many files it removed; 0 if the root is missing or cannot be listed. */
async function sweepRoot(rootward: RootsToSweep, { path }: Root, signal: AbortSignal): Promise<number> {
  // The rules of a write by the model apply, without asking a person.
  const mayRemove = async (relative: string): Promise<boolean> =>
    (await rootward.check(undefined, { operation: 'write', path: join(path, relative) })).allowed;
  try {
    // A mount inside the root may be slow or huge.
    await using boundary = await openBoundary(path, { mounts: 'refuse' });
    if (boundary.kind === 'file') return 0;
    return (await boundary.sweep({ ...bounds, mayRemove, prune, signal })).removed;
  } catch (error) {
    if (RootwardError.is(error)) return 0;
    throw error;
  }
}

const prune = new Set(prunedDirectories);
