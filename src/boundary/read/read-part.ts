import type * as fileSystem from 'node:fs';

/** File names in one open directory. */
export interface DirectoryPart {
  /** Path of the directory, with a slash at the end; empty for the root. */
  readonly prefix: string;
  /** The descriptor of the directory. */
  readonly fd: number;
  /** Joined by slashes: one string is passed to a thread much faster than many. */
  readonly names: string;
}

/** Selects the files to read and the texts to keep. */
export interface PartRequest {
  readonly places: readonly DirectoryPart[];
  /** Index of the first file, counted through all places. */
  readonly from: number;
  /** Largest file size in bytes; larger files are skipped. */
  readonly limit: number;
  /** Skips files that have more than one name. */
  readonly oneName: boolean;
  /** Skips these files, by device and inode, under any name. */
  readonly refused?: readonly string[];
  /** Skips files without these bytes; files in UTF-16 are kept unchecked. */
  readonly holding?: Uint8Array;
}

/** The texts of some files. */
export interface FilesPart {
  /** Index of the next file; `undefined` at the end. */
  readonly next: number | undefined;
  /** Three numbers per text: index of the file, start and end in `bytes`. */
  readonly texts: readonly number[];
  readonly bytes: ArrayBuffer;
  /** Errno code of a lack of handles or memory that ended the part early. */
  readonly fault?: string;
}

/** Effects that the reader needs; threads supply their own. */
export interface PartMeans {
  readonly fs: Pick<typeof fileSystem, 'closeSync' | 'fstatSync' | 'readSync'>;
  /** Opens a file without following a link and without blocking. */
  readonly open: (place: DirectoryPart, name: string) => number;
  readonly textIn: (bytes: Buffer) => Buffer | undefined;
  /** Reused from one part to the next. */
  readonly scratch: { bytes: Buffer };
}

/**
 * Reads files until about 2 MiB are kept or 16 MiB were read, and keeps the texts among them. Skips files
 * that are not regular once opened, cannot be opened, or are too large. If another kind of file takes the
 * place of one, this is detected before any of it is kept, and after reading at most 64 KiB.
 *
 * The source of this function also runs in threads, so it refers only to its arguments and to Node's globals.
 */
export function readPart({ fs, open, textIn, scratch }: PartMeans, request: PartRequest): FilesPart {
  const { places, from, limit, oneName, refused = [], holding } = request;
  const most = { kept: 2 * 1024 * 1024, read: 16 * 1024 * 1024 };
  // Devices by inode. Both numbers lose precision in the same way as those of `fstat`.
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

  /** Whether a file may be kept, judged by its stats and not by its name. */
  const isPermitted = (fd: number): boolean => {
    const stats = fs.fstatSync(fd);
    if (!stats.isFile() || stats.size > limit || (oneName && stats.nlink > 1)) return false;
    return never.get(stats.ino)?.includes(stats.dev) !== true;
  };

  /** Reads a file into the scratch buffer from `kept` on, and returns its end there. */
  const fill = (fd: number): number => {
    let end = kept;
    for (let room = 65_536; end - kept <= limit; room = 1_048_576) {
      makeRoom(end + room);
      const count = fs.readSync(fd, scratch.bytes, end, room, end - kept);
      end += count;
      if (count < room) return end - kept > limit ? kept : end;
      // Checked before a large file costs time.
      if (end - kept === 65_536 && !isPermitted(fd)) return kept;
    }
    return kept;
  };

  /** Tests the content first, because most files do not contain the searched bytes. */
  const isWanted = (end: number): boolean => {
    const bytes = scratch.bytes.subarray(kept, end);
    const isWide = bytes[0] === 0xff || bytes[0] === 0xfe;
    return end > kept && (holding === undefined || isWide || bytes.indexOf(holding) !== -1);
  };

  /** Returns the end of the file in the scratch buffer, or `kept` if none of it is kept. */
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
    // Frees the space of a large file.
    if (scratch.bytes.length > 4_194_304) scratch.bytes = Buffer.allocUnsafeSlow(1_048_576);
    return fault === undefined ? { next, texts, bytes } : { next, texts, bytes, fault };
  };

  /** Returns an errno code only for a lack of resources. */
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
 * Returns the text of a file as UTF-8 without a byte order mark, or `undefined` if it is not text. A file is
 * text if it has no zero byte, or if its mark says UTF-16. The source of this function also runs in threads.
 */
export function textIn(bytes: Buffer): Buffer | undefined {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const plain = isMarked ? bytes.subarray(3) : bytes;
  const text = isWide ? Buffer.from(new TextDecoder(encoding).decode(bytes)) : plain;
  return text.includes(0) ? undefined : text;
}
