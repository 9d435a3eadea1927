import type { Stats } from 'node:fs';
import { RootwardError } from '../../errors.ts';

/** An open directory. What stands behind it depends on the driver; only the driver may look. */
export interface Directory {
  readonly fd: number;
  /** Where and what it was when it was entered. Only drivers that must work with paths fill this. */
  readonly seen?: SeenPath;
}

/** A path, and the identity of what it led to. */
export interface SeenPath {
  readonly path: string;
  readonly identity: string;
}

/** Something that is there, held without being opened: a link is held as a link, a FIFO blocks nobody. */
export interface PinnedEntry {
  readonly fd: number;
  readonly seen?: SeenPath;
  readonly stats: Stats;
}

/** One name below a directory. Buffers for names that are not UTF-8. */
export type EntryName = string | Buffer;

/**
 * What a platform offers to reach one name below an open directory. Everything else in this room is built
 * on these, and nothing else builds a path for the system. Every function fails with the system's error.
 */
export interface Driver {
  readonly level: BoundaryLevel;
  /** Opens the directory that everything will be relative to; links in the path are followed. */
  openTop(path: string): Directory;
  /** Enters one directory. Fails with ENOTDIR or ELOOP on a link. */
  enter(parent: Directory, name: EntryName): Directory;
  /** A second handle on the same directory. */
  duplicate(directory: Directory): Directory;
  /** Holds what is there, links included, without opening it. */
  pin(parent: Directory, name: EntryName): PinnedEntry;
  /** Tells what is held from everything else that is there: device and number, as wide as the system has them. */
  identityOf(held: Directory | PinnedEntry): string;
  /** Where the open directory is now, without links. */
  realPath(directory: Directory): string;
  /** Opens exactly what was pinned. */
  reopen(pinned: PinnedEntry, flags: number): number;
  /** A path for calls that never follow their last name (mkdir, unlink, rename, lstat, readlink, `O_EXCL`). */
  at(parent: Directory, name: EntryName): EntryName;
  /** A path for calls on the directory itself (readdir, watch). */
  self(directory: Directory): string;
  changeMode(pinned: PinnedEntry, mode: number): void;
  /** Identifies the mount that something lies on; `undefined` where that cannot be told. */
  mountOf(held: Directory | PinnedEntry): string | undefined;
  /**
   * Whether the disk under a directory opens files only under the names that it lists, case and Unicode form aside;
   * `undefined` where that cannot be told.
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

/** What a system can do at best; less than that is refused unless the caller asks for less. */
export function bestLevel(system: NodeJS.Platform): BoundaryLevel {
  if (system === 'linux') return 'kernel';
  return system === 'darwin' ? 'open-only' : 'verified';
}

export function requireStrength(level: BoundaryLevel, required: BoundaryLevel): void {
  if (strength[level] < strength[required]) throw new RootwardError('WEAK_LEVEL', { level, required });
}
