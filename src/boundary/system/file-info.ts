import { type BigIntStats, type Dirent, fstatSync, type Stats } from 'node:fs';

export type EntryKind = 'file' | 'directory' | 'link' | 'FIFO' | 'socket' | 'device' | 'unknown';

/** What is known about one entry. */
export interface FileInfo {
  readonly kind: EntryKind;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** How many names the file has. */
  readonly links: number;
  readonly created: Date;
  readonly modified: Date;
  readonly accessed: Date;
}

export function toFileInfo(stats: Stats): FileInfo {
  const { size, nlink, birthtime, mtime, atime } = stats;
  const mode = stats.mode & 0o7777;
  return {
    kind: kindOf(stats),
    size,
    mode,
    links: nlink,
    created: birthtime,
    modified: mtime,
    accessed: atime,
  };
}

export function kindOf(entry: Stats | BigIntStats | Dirent | Dirent<Buffer>): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFIFO()) return 'FIFO';
  if (entry.isSocket()) return 'socket';
  return entry.isBlockDevice() || entry.isCharacterDevice() ? 'device' : 'unknown';
}

/** Tells one file from every other while it is open. 64 bits wide on some systems: a number would mix them up. */
export function identityOf(fd: number): string {
  return identityIn(fstatSync(fd, { bigint: true }));
}

/** The same, of something that was looked at already. */
export function identityIn({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}
