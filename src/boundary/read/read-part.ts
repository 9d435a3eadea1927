import type * as fileSystem from 'node:fs';

/** Names in one open directory. */
export interface DirectoryPart {
  /** Of the directory, with a slash at the end; empty for the root. */
  readonly prefix: string;
  /** The number of its handle. */
  readonly fd: number;
  /** With a slash between them: one string goes to a thread much faster than many. */
  readonly names: string;
}

/** Which files are read, and what is kept of them. */
export interface PartRequest {
  readonly places: readonly DirectoryPart[];
  /** The file to begin with, counted through all places. */
  readonly from: number;
  /** Bytes of a file; a larger one is passed over. */
  readonly limit: number;
  /** Pass over files that have more than one name. */
  readonly oneName: boolean;
  /** Pass over these files, by device and inode, whatever they are called. */
  readonly refused?: readonly string[];
  /** Pass over files without these bytes; those in UTF-16 are kept without a look. */
  readonly holding?: Uint8Array;
}

/** The texts of a few files. */
export interface FilesPart {
  /** The file to go on with; `undefined` at the end. */
  readonly next: number | undefined;
  /** For each text: which file it is of, where it begins in `bytes`, and where it ends. */
  readonly texts: readonly number[];
  readonly bytes: ArrayBuffer;
  /** The system's code for a lack of handles or memory, which ended the part early. */
  readonly fault?: string;
}

/** What reading needs from outside: threads bring their own. */
export interface PartMeans {
  readonly fs: Pick<typeof fileSystem, 'closeSync' | 'fstatSync' | 'readSync'>;
  /** Opens a file in a place, follows no link and waits for nobody. */
  readonly open: (place: DirectoryPart, name: string) => number;
  readonly textIn: (bytes: Buffer) => Buffer | undefined;
  /** Kept from one part to the next. */
  readonly scratch: { bytes: Buffer };
}

/**
 * Reads files until about 2 MiB are kept or 16 MiB were read, and keeps those that are text. What is no regular file
 * by the time that it is open, what cannot be opened and what is too large is passed over. A file that turns out to be
 * something else is noticed before any of it is kept, and after at most 64 KiB of it were read.
 *
 * Its source also runs in threads, so it refers to nothing but its arguments and what Node always has.
 */
export function readPart({ fs, open, textIn, scratch }: PartMeans, request: PartRequest): FilesPart {
  const { places, from, limit, oneName, refused = [], holding } = request;
  const most = { kept: 2 * 1024 * 1024, read: 16 * 1024 * 1024 };
  // Devices by inode, as the numbers that a look shows: of a very large one both lose the same digits.
  const never = new Map<number, number[]>();
  for (const identity of refused) {
    const [device = 0, inode = 0] = identity.split(':').map(Number);
    never.set(inode, [...(never.get(inode) ?? []), device]);
  }
  const texts: number[] = [];
  let kept = 0;
  let read = 0;

  const makeRoom = (size: number): void => {
    if (scratch.bytes.length >= size) return;
    const { length } = scratch.bytes;
    const larger = Buffer.allocUnsafeSlow(Math.max(size, Math.min(length * 2, length + 2_097_152)));
    scratch.bytes.copy(larger);
    scratch.bytes = larger;
  };

  /** Whether a file may be kept at all, by what it is and not by its name. */
  const isPermitted = (fd: number): boolean => {
    const stats = fs.fstatSync(fd);
    if (!stats.isFile() || stats.size > limit || (oneName && stats.nlink > 1)) return false;
    return never.get(stats.ino)?.includes(stats.dev) !== true;
  };

  /** Fills the scratch from `kept` on, and says where the file ends there. */
  const fill = (fd: number): number => {
    let end = kept;
    for (let room = 65_536; end - kept <= limit; room = 1_048_576) {
      makeRoom(end + room);
      const count = fs.readSync(fd, scratch.bytes, end, room, end - kept);
      end += count;
      if (count < room) return end - kept > limit ? kept : end;
      // Before a large file takes time.
      if (end - kept === 65_536 && !isPermitted(fd)) return kept;
    }
    return kept;
  };

  /** Most files lack what is looked for, so that they are not looked at twice. */
  const isWanted = (end: number): boolean => {
    const bytes = scratch.bytes.subarray(kept, end);
    const isWide = bytes[0] === 0xff || bytes[0] === 0xfe;
    return end > kept && (holding === undefined || isWide || bytes.indexOf(holding) !== -1);
  };

  /** Where the file ends in the scratch; where it began if nothing of it is to be kept. */
  const readFile = (place: DirectoryPart, name: string): number => {
    const fd = open(place, name);
    try {
      const end = fill(fd);
      read += end - kept;
      return isWanted(end) && isPermitted(fd) ? end : kept;
    } finally {
      fs.closeSync(fd);
    }
  };

  const keep = (index: number, end: number): void => {
    const text = textIn(scratch.bytes.subarray(kept, end));
    if (text === undefined || text.length === 0) return;
    makeRoom(kept + text.length);
    texts.push(index, kept, kept + text.length);
    kept += text.copy(scratch.bytes, kept);
  };

  const endAt = (next: number | undefined, fault?: string): FilesPart => {
    const bytes = new Uint8Array(scratch.bytes.subarray(0, kept)).buffer;
    // The room for one large file is not kept for many small ones.
    if (scratch.bytes.length > 4_194_304) scratch.bytes = Buffer.allocUnsafeSlow(1_048_576);
    return fault === undefined ? { next, texts, bytes } : { next, texts, bytes, fault };
  };

  /** The code of what the system lacks, if it lacks something. */
  const take = (index: number, place: DirectoryPart, name: string): string | undefined => {
    try {
      const end = readFile(place, name);
      if (end > kept) keep(index, end);
      return undefined;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      return ['EMFILE', 'ENFILE', 'ENOMEM'].includes(code) ? code : undefined;
    }
  };

  let index = -1;
  for (const place of places) {
    for (const name of place.names.split('/')) {
      index += 1;
      if (index < from) continue;
      if (kept >= most.kept || read >= most.read) return endAt(index);
      const fault = take(index, place, name);
      if (fault !== undefined) return endAt(index, fault);
    }
  }
  return endAt(undefined);
}

/**
 * The text of a file as UTF-8, without a byte order mark; `undefined` where there is none. A file is text if it has
 * no zero byte, or says in its mark that it is UTF-16. Its source also runs in threads.
 */
export function textIn(bytes: Buffer): Buffer | undefined {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const plain = isMarked ? bytes.subarray(3) : bytes;
  const text = isWide ? Buffer.from(new TextDecoder(encoding).decode(bytes)) : plain;
  return text.includes(0) ? undefined : text;
}
