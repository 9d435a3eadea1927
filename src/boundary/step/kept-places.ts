import type { Stats } from 'node:fs';
import { sep } from 'node:path';
import { quote } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { isInside } from '../../path/inside.ts';
import type { Directory, Driver } from '../system/driver.ts';
import { isErrno } from '../system/errno.ts';
import type { BoundaryContext, BoundaryRequest } from './context.ts';

/** Numbers above 2^53 are rounded: two files may share an identity, but one file never has two. */
export function keptIdentity({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

/**
 * Refuses one of Rootward's own files, under any name.
 *
 * @throws {RootwardError} `DENIED`
 */
export function refuseKept(context: BoundaryContext, request: BoundaryRequest, stats: Stats): void {
  const { kept, name: root } = context;
  if (kept === undefined || kept.files.size === 0 || !kept.files.has(keptIdentity(stats))) return;
  const { operation, path } = request;
  const reason = 'it is a file of this server, by another name';
  throw new RootwardError('DENIED', { operation, path, root, rule: 'refused', reason });
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
