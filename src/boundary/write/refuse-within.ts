import { walk } from '../read/walk.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import type { Operation } from '../step/operation.ts';
import { resolve } from '../step/resolve.ts';
import { refusal } from '../system/errno.ts';

/** The place to which a tree will move. */
export interface OtherPlace {
  readonly context: BoundaryContext;
  /** Real path from its root. */
  readonly relative: string;
}

/**
 * Checks the guard for every entry of a tree before the tree is moved or removed as a whole. Otherwise
 * renaming `.git` would bypass a rule on `.git/hooks`.
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
  // Entries that were not seen were not checked.
  if (tree.stopped !== undefined || tree.skipped > 0) throw refusal('TREE_TOO_LARGE', request);
}

/**
 * Renaming moves entries to where other rules apply, so entries that may not be read or removed must not
 * move.
 */
function refuseAt({ context: { guard }, relative }: OtherPlace, operation: Operation): Error | undefined {
  const refused = guard?.(operation, relative, true);
  if (refused !== undefined || operation !== 'write') return refused;
  return guard?.('read', relative, false) ?? guard?.('remove', relative, false);
}

/** Checks the guard on the way first, because even the existence of an entry may be secret. */
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
