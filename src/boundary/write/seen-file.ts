import { fstatSync, lstatSync, type BigIntStats } from 'node:fs';
import { errnoError } from '../system/errno.ts';
import type { NamedPlace } from './take-name.ts';

/** A file that is held open, and what was known about it before it was read. */
export interface SeenFile {
  readonly fd: number;
  readonly stats: BigIntStats;
}

/** Looks at an open file. As long as it is open nobody else gets its number. */
export function seeFile(fd: number): SeenFile {
  return { fd, stats: fstatSync(fd, { bigint: true }) };
}

/** Fails with EBUSY unless the name still leads to that file, and nobody has written to it since. */
export function requireSeen({ fd, stats }: SeenFile, { driver, parent, name }: NamedPlace): void {
  const there = lstatSync(driver.at(parent, name), { bigint: true, throwIfNoEntry: false });
  const isSame = there !== undefined && there.dev === stats.dev && there.ino === stats.ino;
  const now = fstatSync(fd, { bigint: true });
  if (!isSame || now.size !== stats.size || now.mtimeNs !== stats.mtimeNs) throw errnoError('EBUSY');
}
