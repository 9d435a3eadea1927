import { type BigIntStats, type Dirent, fstatSync, type Stats } from 'node:fs';

export type EntryKind = 'file' | 'directory' | 'link' | 'FIFO' | 'socket' | 'device' | 'unknown';

/** Facts about one entry. */
export interface FileInfo {
  readonly kind: EntryKind;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** The number of names of the file. */
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

/** Identifies a file while it is open. A string, because inode numbers have 64 bits on some systems. */
export function identityOf(fd: number): string {
  return identityIn(fstatSync(fd, { bigint: true }));
}

/** Like `identityOf`, from stats. */
export function identityIn({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}
