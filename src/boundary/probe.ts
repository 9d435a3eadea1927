import type { BoundaryContext, Request } from './context.ts';
import { isErrno } from './errno.ts';
import { type EntryKind, kindOf } from './file-info.ts';
import type { Operation } from './operation.ts';
import { pinLast } from './pin-last.ts';
import { LinkFound, resolve } from './resolve.ts';

/** Where an operation would act. */
export interface Probe {
  /** Real names from the root, with `/` between them; empty for the root itself. */
  readonly relative: string;
  /** What is there; `undefined` for a name that is free. */
  readonly kind: EntryKind | undefined;
}

/** Goes the whole way that an operation would go, asks every rule on it, and does nothing. */
export function probe(context: BoundaryContext, operation: Operation, path: string): Probe {
  const request: Request = { operation, verb: operation, path };
  return resolve(context, request, (step): Probe | LinkFound => {
    const { relative } = step;
    try {
      // What is removed is the link, not what it leads to.
      const actsOnLink = operation === 'remove' && !step.directory;
      const pinned = actsOnLink
        ? context.driver.pin(step.parent, step.name)
        : pinLast(context, request, step);
      if (pinned instanceof LinkFound) return pinned;
      context.driver.close(pinned);
      return { relative, kind: kindOf(pinned.stats) };
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return { relative, kind: undefined };
      throw error;
    }
  });
}
