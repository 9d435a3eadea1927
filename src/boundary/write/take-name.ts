import { linkSync, renameSync, unlinkSync } from 'node:fs';
import type { Directory, Driver } from '../system/driver.ts';
import { errnoError, isErrno } from '../system/errno.ts';

/** One name below an open directory. */
export interface NamedPlace {
  readonly driver: Driver;
  readonly parent: Directory;
  readonly name: string;
}

/** Error codes of systems on which a file cannot get a second name. */
const noSecondName = ['EPERM', 'EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'] as const;

/**
 * Moves a regular file to a free name, and calls `named` once it has that name: if removing the old name then
 * fails, the move has still happened. Links, then unlinks: unlike a rename this fails if the name is taken.
 * Where the system refuses links, it checks and renames; a file that takes the name in between is replaced.
 * For regular files only: on macOS, `link` on a symbolic link acts on its target.
 */
export function takeName(from: NamedPlace, to: NamedPlace, named: () => void = () => {}): void {
  try {
    linkSync(at(from), at(to));
  } catch (error) {
    if (!isErrno(error, ...noSecondName)) throw error;
    requireFree(to);
    renameSync(at(from), at(to));
    return named();
  }
  named();
  unlinkSync(at(from));
}

/** Fails with EEXIST if the name is taken. */
export function requireFree({ driver, parent, name }: NamedPlace): void {
  try {
    driver.close(driver.pin(parent, name));
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return;
    throw error;
  }
  throw errnoError('EEXIST');
}

function at({ driver, parent, name }: NamedPlace): string | Buffer {
  return driver.at(parent, name);
}
