import { RootwardError } from '../../errors.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { findTop } from '../step/find-top.ts';
import type { Directory, PinnedEntry } from '../system/driver.ts';
import { translate } from '../system/errno.ts';

/** Places outside of a root that a sandbox shows, held open. The caller closes them. */
export interface ShownPlaces extends Disposable {
  readonly places: readonly ShownPlace[];
}

export interface ShownPlace {
  /** The path inside the sandbox. */
  readonly path: string;
  readonly held: Directory | PinnedEntry;
}

/**
 * Opens the places that the operator shows to command lines. If a path leads through a root, no link may lead
 * out of that root: otherwise a process that can write there could have any place shown. Missing places are
 * left out.
 *
 * @throws {RootwardError} `CANNOT_CONFINE`
 */
export function openShown(
  context: BoundaryContext,
  paths: readonly string[],
  request: BoundaryRequest,
): ShownPlaces {
  const places: ShownPlace[] = [];
  const close = (): void => {
    for (const { held } of places.splice(0)) context.driver.close(held);
  };
  try {
    for (const path of paths) {
      const held = open(context, path);
      if (held !== undefined) places.push({ path, held });
    }
    return { places, [Symbol.dispose]: close };
  } catch (error) {
    close();
    if (!RootwardError.is(error, 'OUTSIDE_ROOTS')) throw translate(error, request);
    const reason = 'a link leads out of a root, on the way to a directory that is shown to command lines';
    throw new RootwardError('CANNOT_CONFINE', { path: request.path, reason }, { cause: error });
  }
}

function open(
  { driver, platform, tops = new Map() }: BoundaryContext,
  path: string,
): ShownPlace['held'] | undefined {
  const found = findTop(driver, path, { platform, tops });
  if ('missing' in found) return undefined;
  const { top, only } = found;
  if (only === undefined) return top;
  try {
    return driver.pin(top, only);
  } finally {
    driver.close(top);
  }
}
