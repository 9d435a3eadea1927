import { fstatSync, lstatSync, readFileSync } from 'node:fs';
import type { Directory, Driver } from './driver.ts';
import { isErrno } from './errno.ts';
import { createMountView, type MountView } from './mount-table.ts';

/** Decides which links the kernel itself would not follow. */
export interface LinkRules {
  /** Returns why a link is not followed, or `undefined` if it is. `last`: no name follows it in the path. */
  whyNot(parent: Directory, name: string, last: boolean): string | undefined;
}

const forbidden = 'a link on the way is on a mount where links are not followed';
const foreign = 'a link on the way belongs to another user, in a directory where anyone can leave one';

/**
 * Applies the kernel's restrictions on links, because Rootward follows links itself, step by step, and the
 * kernel never sees them. Called only when a link is met.
 *
 * - A mount with `nosymfollow`: no link on it is followed.
 * - `fs.protected_symlinks`: a link at the end of a path, in a sticky world-writable directory, is followed
 *   only if it belongs to the current user or to the owner of the directory.
 *
 * Not guaranteed: the first second after a mount was made or changed, and systems other than Linux.
 */
export function createLinkRules(
  driver: Driver,
  mounts: MountView = createMountView(),
  isProtecting: () => boolean = readProtection,
): LinkRules {
  if (driver.level !== 'kernel') return { whyNot: () => undefined };
  return {
    whyNot(parent, name, last) {
      const id = driver.mountOf(parent);
      const mount = mounts()?.find((line) => line.id === id);
      if (mount?.options.includes('nosymfollow') === true) return forbidden;
      return last && isForeign(driver, parent, name) && isProtecting() ? foreign : undefined;
    },
  };
}

const stickyForAll = 0o1002;

function isForeign(driver: Driver, parent: Directory, name: string): boolean {
  const { mode, uid: owner } = fstatSync(parent.fd);
  if ((mode & stickyForAll) !== stickyForAll) return false;
  const { uid } = lstatSync(driver.at(parent, name));
  return uid !== owner && uid !== process.geteuid?.();
}

function readProtection(): boolean {
  try {
    return readFileSync('/proc/sys/fs/protected_symlinks', 'utf8').trim() !== '0';
  } catch (error) {
    // Unreadable: assume protection, which refuses more.
    if (isErrno(error)) return true;
    throw error;
  }
}
