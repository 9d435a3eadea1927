import type { Stats } from 'node:fs';
import { RootwardError } from '../../errors.ts';

/** An open directory. Only the driver that opened it may interpret it. */
export interface Directory {
  readonly fd: number;
  /** Its path and identity when it was entered. Only drivers that must work with paths set this. */
  readonly seen?: SeenPath;
}

/** A path, and the identity of the entry it led to. */
export interface SeenPath {
  readonly path: string;
  readonly identity: string;
}

/**
 * An existing entry that is held without being opened: a link is held as a link, and a FIFO does not block.
 */
export interface PinnedEntry {
  readonly fd: number;
  readonly seen?: SeenPath;
  readonly stats: Stats;
}

/** One name below a directory. Buffers for names that are not UTF-8. */
export type EntryName = string | Buffer;

/**
 * The operations by which a platform reaches one name below an open directory. Everything else in this room
 * is built on these, and nothing else builds a path for the system. Every function throws the system's error.
 */
export interface Driver {
  readonly level: BoundaryLevel;
  /** Opens the top directory. Follows links in the path. */
  openTop(path: string): Directory;
  /** Enters one directory. Fails with ENOTDIR or ELOOP on a link. */
  enter(parent: Directory, name: EntryName): Directory;
  /** Opens a second handle on the same directory. */
  duplicate(directory: Directory): Directory;
  /** Holds an entry, links included, without opening it. */
  pin(parent: Directory, name: EntryName): PinnedEntry;
  /** Identifies the held entry: device and inode number, in the full width of the system. */
  identityOf(held: Directory | PinnedEntry): string;
  /** The current path of an open directory, without links. */
  realPath(directory: Directory): string;
  /** Whether a directory has left the real path it had. Missing where one call cannot tell. */
  hasLeft?(directory: Directory, path: string): boolean;
  /** Opens exactly the pinned entry. */
  reopen(pinned: PinnedEntry, flags: number): number;
  /**
   * A path for calls that never follow their last name (mkdir, unlink, rename, lstat, readlink, `O_EXCL`).
   */
  at(parent: Directory, name: EntryName): EntryName;
  /** A path for calls on the directory itself (readdir, watch). */
  self(directory: Directory): string;
  changeMode(pinned: PinnedEntry, mode: number): void;
  /** Identifies the mount of an entry; `undefined` if it cannot be determined. */
  mountOf(held: Directory | PinnedEntry): string | undefined;
  /**
   * Whether the disk of a directory opens files only under listed names, case and Unicode form aside;
   * `undefined` if it cannot be determined.
   */
  isExact(directory: Directory): boolean | undefined;
  close(held: Directory | PinnedEntry): void;
}

/**
 * How strong the guarantee is that nothing outside the root is touched.
 *
 * - `kernel` (Linux): every step is relative to an open directory and follows no link. Holds against a
 *   process that renames and links inside the root at the same time.
 * - `open-only` (macOS): opening is one call that follows no link at all; creating, renaming and removing
 *   check the parent before they act, and a race in that moment is possible.
 * - `verified` (Windows, and Linux without `/proc`): names are checked, opened, and compared by identity.
 *   Holds against everything that does not race.
 */
export type BoundaryLevel = 'kernel' | 'open-only' | 'verified';

const strength: { readonly [Level in BoundaryLevel]: number } = { verified: 1, 'open-only': 2, kernel: 3 };

/** The best level of a system; a weaker one is refused unless the caller asks for it. */
export function bestLevel(system: NodeJS.Platform): BoundaryLevel {
  if (system === 'linux') return 'kernel';
  return system === 'darwin' ? 'open-only' : 'verified';
}

export function requireStrength(level: BoundaryLevel, required: BoundaryLevel): void {
  if (strength[level] < strength[required]) throw new RootwardError('WEAK_LEVEL', { level, required });
}
