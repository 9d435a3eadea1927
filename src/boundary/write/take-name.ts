import { linkSync, renameSync, unlinkSync } from 'node:fs';
import type { Directory, Driver } from '../system/driver.ts';
import { errnoError, isErrno } from '../system/errno.ts';

/** One name below an open directory. */
export interface NamedPlace {
  readonly driver: Driver;
  readonly parent: Directory;
  readonly name: string;
}

/** What systems say where a file cannot have a second name, or not by us. */
const noSecondName = ['EPERM', 'EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'] as const;

/**
 * Moves a regular file to a name that nobody has, and tells when it has that name: that it keeps the old one,
 * too, is a failure after the fact. A second name and then one less: unlike a rename this fails
 * if the name is taken. Where the system refuses that, a look and a rename have to do; who takes the name
 * between the two is replaced. For regular files alone: macOS gives the second name to what a link leads to.
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

/** Fails with EEXIST if something has the name. */
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
