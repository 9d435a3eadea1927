import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';
import { isInside } from '../path/inside.ts';
import type { Root } from '../path/root.ts';
import type { Rootward } from '../server/rootward.ts';
import type { Kit, KitOptions } from '../tools/ready/kit.ts';
import { prunedDirectories } from '../workspace/pruned-directories.ts';

/** Looks for what killed writers left, once in each root that a server may write to. */
export interface StartSweep {
  /** The same options, heard: a client may list its roots later. */
  join(kit: KitOptions): KitOptions;
  /** The same kit; the roots of each client on stdio are looked through. */
  attend(kit: Kit): Kit;
  /** Looks through what may be reached without a client, too. */
  follow(rootward: Looking): void;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** What tells where to look, and whether somebody may write there. */
type Looking = Pick<Rootward, 'roots' | 'contains' | 'check'>;

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
export function sweepAtStart({ log, calm = 300 }: StartSweepOptions): StartSweep {
  const ending = new AbortController();
  const { signal } = ending;
  const followed = new Set<Looking>();
  const swept: string[] = [];
  let isWriter = false;
  let waiting = false;
  let running = Promise.resolve();
  const look = async (): Promise<void> => {
    await setTimeout(calm, undefined, { ref: false, signal });
    waiting = false;
    for (const rootward of followed)
      for (const root of await rootsToSweep(rootward, swept)) {
        swept.push(root.path);
        const removed = await sweepRoot(rootward, root, signal);
        log({ kind: 'swept', root: root.name, removed });
      }
  };
  const lookSoon = (): void => {
    if (!isWriter || waiting || followed.size === 0) return;
    waiting = true;
    running = running.then(look).catch((error: unknown) => {
      if (!signal.aborted) log({ kind: 'sweep-failed', message: String(error) });
    });
  };
  const follow = (rootward: Looking): void => {
    followed.add(rootward);
    lookSoon();
  };
  return {
    join(kit) {
      isWriter = kit.tools.some(({ operations }) => operations.includes('write'));
      const { trace } = kit.attach;
      const heard: typeof trace = (event, connection) => {
        trace?.(event, connection);
        if (event.kind === 'answered') lookSoon();
      };
      return { ...kit, attach: { ...kit.attach, trace: heard } };
    },
    attend: (kit) => ({
      ...kit,
      createServer(options = {}) {
        const ready = kit.createServer(options);
        if (options.overHttp !== true) follow(ready.rootward);
        return ready;
      },
    }),
    follow,
    async close() {
      ending.abort();
      await running;
    },
  };
}

/** Those that nobody has looked through. None while a client has yet to say what counts. */
async function rootsToSweep(rootward: Looking, swept: readonly string[]): Promise<readonly Root[]> {
  const roots = await rootward.roots();
  if (rootward.contains(undefined, '/') === undefined) return [];
  return roots.filter(({ path }) => !swept.some((known) => isInside(known, path)));
}

/** How many it removed. A root that is not there, or cannot be listed, has nothing to look through. */
async function sweepRoot(rootward: Looking, { path }: Root, signal: AbortSignal): Promise<number> {
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
