import { walk } from '../read/walk.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import type { Operation } from '../step/operation.ts';
import { resolve } from '../step/resolve.ts';
import { refusal } from '../system/errno.ts';

/** A second place that a tree will be at: the same names below another directory. */
export interface OtherPlace {
  readonly context: BoundaryContext;
  /** Real names from its root. */
  readonly relative: string;
}

/**
 * Asks the guard about everything in a tree before the tree is moved or removed as a whole. Otherwise a rule
 * on `.git/hooks` would end where somebody renames `.git`.
 */
export async function refuseWithin(
  context: BoundaryContext,
  request: BoundaryRequest,
  others: readonly OtherPlace[],
  signal?: AbortSignal,
): Promise<void> {
  const guards = [context, ...others.map((other) => other.context)].some(({ guard }) => guard !== undefined);
  if (!guards || !isDirectory(context, request)) return;
  const tree = walk(withoutGuard(context), request.path, {
    depth: 512,
    ...(signal === undefined ? {} : { signal }),
  });
  let start: number | undefined;
  for await (const { path } of tree) {
    start ??= path.lastIndexOf('/') + 1;
    const below = path.slice(start);
    const places = [
      { context, relative: path },
      ...others.map((other) => ({ ...other, relative: `${other.relative}/${below}` })),
    ];
    for (const place of places) {
      const refused = refuseAt(place, request.operation);
      if (refused !== undefined) throw refused;
    }
  }
  // What was not seen was not asked about.
  if (tree.stopped !== undefined || tree.skipped > 0) throw refusal('TREE_TOO_LARGE', request);
}

/** A tree that is renamed takes what must not be read or removed to where other rules hold. */
function refuseAt({ context: { guard }, relative }: OtherPlace, operation: Operation): Error | undefined {
  const refused = guard?.(operation, relative, true);
  if (refused !== undefined || operation !== 'write') return refused;
  return guard?.('read', relative, false) ?? guard?.('remove', relative, false);
}

/** Asks the guard about the way there first: it may not even be told whether something is there. */
function isDirectory(context: BoundaryContext, request: BoundaryRequest): boolean {
  const { driver } = context;
  return resolve(context, request, (step) => {
    const pinned = driver.pin(step.parent, step.name);
    driver.close(pinned);
    return pinned.stats.isDirectory();
  });
}

function withoutGuard(context: BoundaryContext): BoundaryContext {
  return { ...context, guard: undefined };
}
