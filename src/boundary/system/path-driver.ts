import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { BoundaryLevel, Directory, Driver, EntryName, SeenPath } from './driver.ts';
import { errnoError } from './errno.ts';
import { identityIn, identityOf } from './file-info.ts';

/** macOS 11 and later: fail if any name in the path is a link, not only the last one. */
const O_NOFOLLOW_ANY = 0x20000000;

// Windows lacks the first three, and `flags | undefined` is `flags`.
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

export interface PathDriverOptions {
  readonly level: BoundaryLevel;
  /** The flag that makes `open` fail on links, as far as the system supports it. */
  readonly noFollow: number;
}

/**
 * Creates the driver for macOS, for Windows, and for Linux where `/proc` is missing and a weaker level is
 * accepted.
 */
export function createSystemPathDriver(system: NodeJS.Platform): Driver {
  if (system === 'darwin') return createPathDriver({ level: 'open-only', noFollow: O_NOFOLLOW_ANY });
  return createPathDriver({ level: 'verified', noFollow: O_NOFOLLOW });
}

/**
 * For systems that cannot name a file relative to an open directory: builds paths from the real path of the
 * top, one checked name at a time, and compares the identity of the opened file with the one that was
 * checked.
 *
 * Not guaranteed: another process may replace a directory between the check of a parent and a call that
 * creates, renames or removes in it. On macOS opening is safe from that; on Windows it is detected
 * afterwards.
 */
export function createPathDriver({ level, noFollow }: PathDriverOptions): Driver {
  const openSeen = (seen: SeenPath, flags: number): number => openAsSeen(seen, flags | noFollow);
  const enterAt = (path: string): Directory => {
    const seen = look(path);
    if (!lstatSync(path).isDirectory()) throw errnoError('ENOTDIR');
    return { fd: openSeen(seen, O_RDONLY | O_DIRECTORY), seen };
  };
  return {
    level,
    openTop: (path) => enterAt(realpathSync.native(path)),
    enter: (parent, name) => enterAt(pathAt(parent, name)),
    duplicate: (directory) => enterAt(pathOf(directory)),
    pin(parent, name) {
      const path = pathAt(parent, name);
      return { fd: -1, seen: look(path), stats: lstatSync(path) };
    },
    identityOf: (held) => seenOf(held).identity,
    realPath: pathOf,
    reopen: (pinned, flags) => openSeen(seenOf(pinned), flags | O_NONBLOCK),
    at: (parent, name) => (typeof name === 'string' ? pathAt(parent, name) : bytesAt(parent, name)),
    self: pathOf,
    changeMode(pinned, mode) {
      const fd = openSeen(seenOf(pinned), O_RDONLY | O_NONBLOCK);
      try {
        fchmodSync(fd, mode);
      } finally {
        closeSync(fd);
      }
    },
    mountOf: (held) => String(('stats' in held ? held.stats : fstatSync(held.fd)).dev),
    isExact: () => undefined,
    close({ fd }) {
      if (fd !== -1) closeSync(fd);
    },
  };
}

/** A bigint, because identities have 64 bits on Windows. */
function look(path: string): SeenPath {
  return { path, identity: identityIn(lstatSync(path, { bigint: true })) };
}

function openAsSeen({ path, identity }: SeenPath, flags: number): number {
  const fd = openSync(path, flags);
  if (identity === identityOf(fd)) return fd;
  closeSync(fd);
  throw errnoError('ESTALE');
}

function seenOf({ seen }: { readonly seen?: SeenPath }): SeenPath {
  if (seen === undefined) throw new Error('this handle belongs to another driver');
  return seen;
}

function pathOf(directory: Directory): string {
  return seenOf(directory).path;
}

/** Returns the path of a name, after checking that the parent is still the directory that was entered. */
function pathAt(parent: Directory, name: EntryName): string {
  const { path, identity } = seenOf(parent);
  if (look(path).identity !== identity) throw errnoError('ESTALE');
  return join(path, sep, String(name));
}

function bytesAt(parent: Directory, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${pathAt(parent, '')}${sep}`), name]);
}
