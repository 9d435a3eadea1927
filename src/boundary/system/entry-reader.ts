import { type Dir, type Dirent, fstatSync, opendirSync, readdirSync } from 'node:fs';
import type { Directory, Driver } from './driver.ts';

/** Reads the entries of one directory, all at once or, if there are very many, in parts. */
export interface EntryReader {
  /** Whether the first part is complete. */
  readonly whole: boolean;
  /** Returns the next part, or `undefined` at the end. */
  next(): readonly Dirent[] | undefined;
  close(): void;
}

/**
 * Size in bytes of the directory itself above which it is read in parts, so that a million names do not block
 * the process.
 */
const largeDirectory = 256 * 1024;
const partSize = 1_024;

export function createEntryReader(driver: Driver, directory: Directory): EntryReader {
  const path = driver.self(directory);
  return fstatSync(directory.fd).size > largeDirectory ? readInParts(path) : readAtOnce(path);
}

function readAtOnce(path: string): EntryReader {
  let read = false;
  return {
    whole: true,
    next() {
      if (read) return undefined;
      read = true;
      return readdirSync(path, { withFileTypes: true });
    },
    close() {},
  };
}

function readInParts(path: string): EntryReader {
  const entries = opendirSync(path, { bufferSize: partSize });
  return {
    whole: false,
    next: () => readPart(entries),
    close: () => entries.closeSync(),
  };
}

function readPart(entries: Dir): readonly Dirent[] | undefined {
  const part: Dirent[] = [];
  while (part.length < partSize) {
    const entry = entries.readSync();
    if (entry === null) break;
    part.push(entry);
  }
  return part.length === 0 ? undefined : part;
}
