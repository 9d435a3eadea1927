import { fstatSync, lstatSync, readFileSync } from 'node:fs';
import type { Directory, Driver } from './driver.ts';
import { isErrno } from './errno.ts';
import { createMountView, type MountView } from './mount-table.ts';

/** Which links the system itself would not follow. */
export interface LinkRules {
  /** Why the link of this name is not followed; `undefined` if it is. `last`: nothing comes after it in the path. */
  whyNot(parent: Directory, name: string, last: boolean): string | undefined;
}

const forbidden = 'a link on the way lies on a mount where links are not followed';
const foreign = 'a link on the way belongs to another user, in a directory where anyone can leave one';

/**
 * Links are read and followed step by step here, so that the kernel never sees them; what it would refuse is refused
 * all the same. Asked only where a link is met.
 *
 * - A mount with `nosymfollow`: no link on it is followed.
 * - `fs.protected_symlinks`: a link at the end of a path, in a directory that is sticky and writable by anyone, is
 *   followed if it belongs to the user who follows or to the owner of the directory.
 *
 * Not guaranteed: for the first second after a mount was made or changed, and on systems other than Linux.
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
    // Not to be read: better to refuse too much.
    if (isErrno(error)) return true;
    throw error;
  }
}
