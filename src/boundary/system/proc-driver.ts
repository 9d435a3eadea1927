import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  statfsSync,
} from 'node:fs';
import { isExactDisk, listedPath } from './disk-names.ts';
import type { Directory, Driver, EntryName, PinnedEntry } from './driver.ts';
import { identityOf } from './file-info.ts';

/** Of Linux, on every architecture that Node supports; missing in `fs.constants`. */
const O_PATH = 0o10000000;
const procMagic = 0x9fa0;

const { O_DIRECTORY, O_NOFOLLOW } = constants;

/**
 * Linux: `/proc/self/fd/<open directory>/<one name>` with `O_NOFOLLOW` is what `openat` would be. The magic
 * link leads to the very directory that is open, wherever it has been moved, and one name after it leaves
 * nothing for the kernel to resolve. Only synchronous calls may use these paths: a number that was closed
 * and given to another directory in between would lead elsewhere.
 */
export const procDriver: Driver = {
  level: 'kernel',
  openTop: (path) => openDirectory(path, 0),
  enter: (parent, name) => openDirectory(at(parent, name), O_NOFOLLOW),
  duplicate: (directory) => openDirectory(self(directory), 0),
  pin(parent, name) {
    const fd = openSync(at(parent, name), O_PATH | O_NOFOLLOW);
    try {
      return { fd, stats: fstatSync(fd) };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  },
  identityOf: ({ fd }) => identityOf(fd),
  realPath(directory) {
    const path = readlinkSync(self(directory));
    return isExact(directory) ? path : listedPath(path);
  },
  // The kernel names a removed directory `… (deleted)`. On some disks it does not use the listed name.
  hasLeft: (directory, path) =>
    readlinkSync(self(directory)) !== path && procDriver.realPath(directory) !== path,
  reopen: (pinned, flags) => openSync(self(pinned), flags),
  at,
  self,
  changeMode: (pinned, mode) => chmodSync(self(pinned), mode),
  mountOf: ({ fd }) => /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1],
  isExact,
  close: ({ fd }) => closeSync(fd),
};

function openDirectory(path: EntryName, flags: number): Directory {
  return { fd: openSync(path, O_PATH | O_DIRECTORY | flags) };
}

function at({ fd }: Directory, name: EntryName): EntryName {
  if (typeof name === 'string') return `/proc/self/fd/${fd}/${name}`;
  return Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), name]);
}

function isExact(directory: Directory): boolean {
  return isExactDisk(statfsSync(self(directory)).type);
}

function self({ fd }: Directory | PinnedEntry): string {
  return `/proc/self/fd/${fd}`;
}

/** Whether `/proc` exists and is a real procfs: a plain directory of that name could lead anywhere. */
export function hasProc(): boolean {
  try {
    return statfsSync('/proc').type === procMagic && lstatSync('/proc/self/fd').isDirectory();
  } catch {
    return false;
  }
}
