import type { Readable } from 'node:stream';
import type { ConfinedEnd, ConfinedOptions } from './process/confined-run.ts';
import type { RunEnd } from './process/supervise.ts';
import type { RunOptions } from './process/unchecked-run.ts';
import { type FileReader, openReader } from './read/file-reader.ts';
import { list, type Listing, type ListOptions } from './read/list.ts';
import type { ReadTextsOptions, FileTexts } from './read/read-texts.ts';
import {
  type ByteRange,
  readBytes,
  type ReadOptions,
  readStream,
  readText,
  type ReadTextOptions,
} from './read/read.ts';
import { lstat, probe, type ProbedPath, type ProbeOptions, stat } from './read/stat.ts';
import { walk, type Walk, type WalkOptions } from './read/walk.ts';
import { watch, type WatchEvent, type WatchOptions } from './read/watch.ts';
import type { BoundaryContext, Guard, InnerRoots, Witness } from './step/context.ts';
import { openBelow } from './step/open-below.ts';
import type { Operation } from './step/operation.ts';
import type { BoundaryLevel } from './system/driver.ts';
import type { FileInfo } from './system/file-info.ts';
import { append, type AppendOptions } from './write/append.ts';
import { copy, type CopyOptions } from './write/copy.ts';
import { type FileLock, lock, type LockOptions } from './write/lock.ts';
import { type LogFile, openLogFile } from './write/log-file.ts';
import { changeMode, makeDirectory, type MakeDirectoryOptions } from './write/make-directory.ts';
import { remove, type RemoveOptions } from './write/remove.ts';
import { rename, type RenameOptions } from './write/rename.ts';
import type { SweepOptions, TreeSweep } from './write/sweep-tree.ts';
import { type ContentUpdate, update, type UpdateOptions } from './write/update.ts';
import { write, type WriteOptions } from './write/write.ts';

/** Where a file goes that leaves its own boundary. */
export interface IntoOptions {
  /** The boundary that the new name belongs to; this one by default. */
  readonly into?: Boundary;
}

/**
 * Reaches what is beneath one directory, and nothing else: `os.Root` for Node. Get one from `openBoundary`.
 *
 * Paths are relative to the root, with the separators of the system. Relative links are followed as long as
 * they stay beneath the root; absolute links and links that leave are refused, and so is `..` above the root
 * even if it comes back. `remove`, `rename` and `lstat` act on a link itself, everything else on its target.
 * FIFOs, sockets and devices are never opened. The root itself can be listed, and nothing else.
 *
 * The directory is held open, not its name: if it is renamed, the boundary goes with it.
 *
 * How far this holds against another process that changes links at the same moment is its `level`; see
 * `BoundaryLevel`. Never promised: hard links and mounts (options refuse them), and what a file contains.
 *
 * @example
 * ```ts
 * const boundary = await openBoundary(process.cwd());
 * (await boundary.stat('package.json')).kind // → 'file'
 * await boundary.readText('../../etc/passwd') // throws OUTSIDE_ROOTS
 * await boundary.close();
 * ```
 */
export class Boundary implements AsyncDisposable {
  readonly #context: BoundaryContext;

  /** @internal Use `openBoundary`. */
  constructor(context: BoundaryContext) {
    this.#context = context;
  }

  /** How strong the guarantee is on this system. */
  get level(): BoundaryLevel {
    return this.#context.driver.level;
  }

  /** What the root is called in messages. */
  get name(): string {
    return this.#context.name;
  }

  /** Whether the root is a directory or one file. */
  get kind(): 'directory' | 'file' {
    return this.#context.only === undefined ? 'directory' : 'file';
  }

  /**
   * The same root with one more rule on every name that is looked at, and a witness of what is done, in place of
   * the one before. Shares the handle: close either.
   */
  guarded(guard: Guard, witness: Witness | undefined = this.#context.witness): Boundary {
    const { guard: before } = this.#context;
    const both: Guard = (...step) => before?.(...step) ?? guard(...step);
    return new Boundary({ ...this.#context, guard: before === undefined ? guard : both, witness });
  }

  /** @internal The same root, in which other roots and what leads to them keep their names. Shares the handle. */
  holding(inner: InnerRoots): Boundary {
    return new Boundary({ ...this.#context, inner });
  }

  /** @internal The mount that must not be left; `undefined` to cross freely. */
  get mount(): string | undefined {
    return this.#context.mount;
  }

  /** The absolute paths that lead here: as it was given, and without links. For matching, not for opening. */
  get spellings(): readonly string[] {
    return this.#context.spellings;
  }

  /** Something in it as a boundary of its own, under the same rules. Close each. */
  openBelow(path: string, name: string): Promise<Boundary> {
    return this.#use((context) => new Boundary(openBelow(context, path, name)));
  }

  /** Goes the way an operation would go, asks every rule, and does nothing. */
  probe(operation: Operation, path: string, options?: ProbeOptions): Promise<ProbedPath> {
    return this.#use((context) => probe(context, operation, path, options));
  }

  stat(path: string): Promise<FileInfo> {
    return this.#use((context) => stat(context, path));
  }

  lstat(path: string): Promise<FileInfo> {
    return this.#use((context) => lstat(context, path));
  }

  readText(path: string, options?: ReadTextOptions): Promise<string> {
    return this.#use((context) => readText(context, path, options));
  }

  readBytes(path: string, options?: ReadOptions): Promise<Buffer> {
    return this.#use((context) => readBytes(context, path, options));
  }

  /** A stream of bytes. `close` waits until it has ended or was destroyed. */
  readStream(path: string, range?: ByteRange): Promise<Readable> {
    return this.#use((context) => readStream(context, path, range));
  }

  /** One file, to read parts of it. `close` waits for its `close`. */
  open(path: string): Promise<FileReader> {
    return this.#use((context) => openReader(context, path));
  }

  list(path: string, options?: ListOptions): Promise<Listing> {
    return this.#use((context) => list(context, path, options));
  }

  walk(path: string, options?: WalkOptions): Walk {
    return walk(this.#context, path, options);
  }

  /** What is in the texts of a tree, in order: only in those that may be read, and no other file is opened. */
  async *readTexts(path: string, options: ReadTextsOptions): FileTexts {
    const { readTexts } = await import('./read/read-texts.ts');
    return yield* readTexts(this.#context, path, options);
  }

  /** @internal Removes what killed writers left in the tree, within bounds; see `sweepTree`. */
  sweep(options: SweepOptions): Promise<TreeSweep> {
    return this.#use(async (context) => (await import('./write/sweep-tree.ts')).sweepTree(context, options));
  }

  write(path: string, data: string | Uint8Array, options?: WriteOptions): Promise<void> {
    return this.#use((context) => write(context, path, data, options));
  }

  /** Changes what a file contains, given what it contains; see `update` for what holds if others write too. */
  update(path: string, change: ContentUpdate, options?: UpdateOptions): Promise<void> {
    return this.#use((context) => update(context, path, change, options));
  }

  append(path: string, data: string | Uint8Array, options?: AppendOptions): Promise<void> {
    return this.#use((context) => append(context, path, data, options));
  }

  /** A file kept open for appending whole lines. `close` of the boundary waits for its `close`. */
  openLog(path: string, options?: AppendOptions): LogFile {
    return openLogFile(this.#context, path, options);
  }

  /** The lock that goes by the name of a file. `close` waits for its `release`. */
  lock(path: string, options?: LockOptions): Promise<FileLock> {
    return this.#use((context) => lock(context, path, options));
  }

  makeDirectory(path: string, options?: MakeDirectoryOptions): Promise<void> {
    return this.#use((context) => makeDirectory(context, path, options));
  }

  rename(
    from: string,
    to: string,
    { into = this, ...options }: RenameOptions & IntoOptions = {},
  ): Promise<void> {
    return this.#use((source) => into.#use((target) => rename({ source, target }, from, to, options)));
  }

  copy(from: string, to: string, { into = this, ...options }: CopyOptions & IntoOptions = {}): Promise<void> {
    return this.#use((source) => into.#use((target) => copy({ source, target }, from, to, options)));
  }

  remove(path: string, options?: RemoveOptions): Promise<void> {
    return this.#use((context) => remove(context, path, options));
  }

  changeMode(path: string, mode: number): Promise<void> {
    return this.#use((context) => changeMode(context, path, mode));
  }

  watch(path: string, options?: WatchOptions): AsyncIterableIterator<WatchEvent> {
    return watch(this.#context, path, options);
  }

  /** Runs a command line in a sandbox that holds little more than this root; see `runConfined` for what holds. */
  runConfined(path: string, run: ConfinedOptions): Promise<ConfinedEnd> {
    return this.#use(async (context) =>
      (await import('./process/confined-run.ts')).runConfined(context, path, run),
    );
  }

  /** Runs a command line in a directory of this root. Nothing confines it there, and no rule holds for it. */
  runUnchecked(path: string, run: RunOptions): Promise<RunEnd> {
    return this.#use(async (context) =>
      (await import('./process/unchecked-run.ts')).runUnchecked(context, path, run),
    );
  }

  /** Refuses what comes, ends watches, waits for what is running, and lets the directory go. */
  close(): Promise<void> {
    return this.#context.lease.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #use<Result>(run: (context: BoundaryContext) => Result | Promise<Result>): Promise<Result> {
    return this.#context.lease.use(() => run(this.#context));
  }
}
