import { sep } from 'node:path';
import { quote } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { isInside } from '../../path/inside.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { findTop } from '../step/find-top.ts';
import type { Directory, Driver, PinnedEntry } from '../system/driver.ts';
import { isErrno, translate } from '../system/errno.ts';

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

/**
 * Refuses to run a program in a root where a kept place is missing or is reached through a link: the sandbox
 * cannot mount over such a place, so the program could replace it.
 *
 * @throws {RootwardError} `CANNOT_CONFINE`
 */
export function requireKept(context: BoundaryContext, { path }: BoundaryRequest): void {
  const { kept, spellings } = context;
  for (const place of kept?.paths ?? []) {
    const top = spellings.find((spelling) => spelling !== place && isInside(spelling, place));
    if (top === undefined) continue;
    const relative = place
      .slice(top.length)
      .split(sep)
      .filter((name) => name !== '');
    if (isHeld(context, relative)) continue;
    const reason = `${quote(relative.join('/'))} belongs to this server, and is missing or reached through a link, so a command could replace it`;
    throw new RootwardError('CANNOT_CONFINE', { path, reason });
  }
}

/** Whether every name on the way exists and none is a link. */
function isHeld({ driver, top }: BoundaryContext, names: readonly string[]): boolean {
  const opened: Directory[] = [];
  try {
    let parent = top;
    for (const name of names.slice(0, -1)) {
      parent = driver.enter(parent, name);
      opened.push(parent);
    }
    return !isLink(driver, parent, names.at(-1) ?? '.');
  } catch (error) {
    if (isErrno(error)) return false;
    throw error;
  } finally {
    for (const directory of opened) driver.close(directory);
  }
}

function isLink(driver: Driver, parent: Directory, name: string): boolean {
  const pinned = driver.pin(parent, name);
  driver.close(pinned);
  return pinned.stats.isSymbolicLink();
}
