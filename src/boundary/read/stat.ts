import { type BoundaryContext, type BoundaryRequest, askWitness } from '../step/context.ts';
import { pinLast } from '../step/open-file.ts';
import type { Operation } from '../step/operation.ts';
import { LinkFound, resolve, WayMissing } from '../step/resolve.ts';
import { isErrno } from '../system/errno.ts';
import { type EntryKind, type FileInfo, kindOf, toFileInfo } from '../system/file-info.ts';

/** Describes the entry that a path leads to. */
export function stat(context: BoundaryContext, path: string): FileInfo {
  const request: BoundaryRequest = { operation: 'list', verb: 'look at', path };
  return resolve(context, request, (step) => {
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    context.driver.close(pinned);
    return toFileInfo(pinned.stats);
  });
}

/** Describes the entry that a path names: a link itself, unless the path ends with a slash. */
export function lstat(context: BoundaryContext, path: string): FileInfo {
  const { driver } = context;
  const request: BoundaryRequest = { operation: 'list', verb: 'look at', path };
  return resolve(context, request, (step) => {
    const pinned = step.directory ? pinLast(context, request, step) : driver.pin(step.parent, step.name);
    if (pinned instanceof LinkFound) return pinned;
    driver.close(pinned);
    askWitness(context, request, step.relative);
    return toFileInfo(pinned.stats);
  });
}

/** The place where an operation would act. */
export interface ProbedPath {
  /** Real names from the root, with `/` between them; empty for the root itself. */
  readonly relative: string;
  /** The existing entry; `undefined` if the name is free. */
  readonly kind: EntryKind | undefined;
  /** Real paths of the links that the last name led through, in order. */
  readonly links: readonly string[];
}

export interface ProbeOptions {
  /** Means a link itself, not its target; the default for `remove`. */
  readonly itself?: boolean;
  /** Returns the place even if a directory on the way is missing, instead of `NOT_FOUND`. */
  readonly missing?: boolean;
}

/** Resolves a path as an operation would, with all its checks, but does nothing. */
export function probe(
  context: BoundaryContext,
  operation: Operation,
  path: string,
  { itself = operation === 'remove', missing = false }: ProbeOptions = {},
): ProbedPath {
  const request: BoundaryRequest = { operation, verb: operation, path, allowMissing: missing };
  const links: string[] = [];
  try {
    return probeLast(context, request, { itself, links });
  } catch (error) {
    if (error instanceof WayMissing) return { relative: error.relative, kind: undefined, links };
    throw error;
  }
}

function probeLast(
  context: BoundaryContext,
  request: BoundaryRequest,
  { itself, links }: { readonly itself: boolean; readonly links: string[] },
): ProbedPath {
  return resolve(context, request, (step): ProbedPath | LinkFound => {
    const { relative } = step;
    try {
      const pinned =
        itself && !step.directory
          ? context.driver.pin(step.parent, step.name)
          : pinLast(context, request, step);
      if (pinned instanceof LinkFound) {
        links.push(relative);
        return pinned;
      }
      context.driver.close(pinned);
      askWitness(context, request, relative);
      return { relative, kind: kindOf(pinned.stats), links };
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) throw error;
      askWitness(context, request, relative);
      return { relative, kind: undefined, links };
    }
  });
}
