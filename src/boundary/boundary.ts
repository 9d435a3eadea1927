import { dirname } from 'node:path';
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

/** Options of an operation whose target may lie in another boundary. */
export interface IntoOptions {
  /** The boundary of the target; this one by default. */
  readonly into?: Boundary;
}

/**
 * Gives access to everything beneath one directory, and to nothing else: `os.Root` for Node. Created by
 * `openBoundary`.
 *
 * Paths are relative to the root, with the separators of the system. Relative links are followed while they
 * stay beneath the root; absolute links and links that leave it are refused, and so is `..` above the root,
 * even if the path comes back. `remove`, `rename` and `lstat` act on a link itself, everything else on its
 * target. FIFOs, sockets and devices are never opened. The root itself can only be listed.
 *
 * The boundary holds the directory open, not its name: if the directory is renamed, the boundary follows it.
 *
 * `level` states how far this holds against another process that changes links at the same moment; see
 * `BoundaryLevel`. Not guaranteed: hard links and mounts (options refuse them), and the content of files.
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

  /** The strength of the guarantee on this system. */
  get level(): BoundaryLevel {
    return this.#context.driver.level;
  }

  /** The name of the root in messages. */
  get name(): string {
    return this.#context.name;
  }

  /** Whether the root is a directory or one file. */
  get kind(): 'directory' | 'file' {
    return this.#context.only === undefined ? 'directory' : 'file';
  }

  /**
   * Returns the same root with an additional guard on every name, and with a witness that replaces the
   * current one. Shares the handle: close either.
   */
  guarded(guard: Guard, witness: Witness | undefined = this.#context.witness): Boundary {
    const { guard: before } = this.#context;
    const both: Guard = (...step) => before?.(...step) ?? guard(...step);
    return new Boundary({ ...this.#context, guard: before === undefined ? guard : both, witness });
  }

  /**
   * @internal The same root, in which other roots and the directories that lead to them keep their names.
   * Shares the handle.
   */
  holding(inner: InnerRoots): Boundary {
    return new Boundary({ ...this.#context, inner });
  }

  /**
   * @internal The mount that must not be left; `undefined` if mounts may be crossed.
   */
  get mount(): string | undefined {
    return this.#context.mount;
  }

  /** The absolute paths of the root: as given, and without links. For matching, not for opening. */
  get spellings(): readonly string[] {
    return this.#context.spellings;
  }

  /**
   * @internal Whether the directory was moved or removed since it was opened; `false` where that is not known.
   */
  get hasMoved(): boolean {
    const { driver, top, only, spellings } = this.#context;
    const real = spellings.at(-1) ?? '';
    return driver.hasLeft?.(top, only === undefined ? real : dirname(real)) ?? false;
  }

  /** Opens a directory or file in it as a boundary of its own, under the same rules. Close each. */
  openBelow(path: string, name: string): Promise<Boundary> {
    return this.#use((context) => new Boundary(openBelow(context, path, name)));
  }

  /** Resolves a path as an operation would, with all its checks, but does nothing. */
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

  /** Opens a stream of bytes. `close` waits until it has ended or was destroyed. */
  readStream(path: string, range?: ByteRange): Promise<Readable> {
    return this.#use((context) => readStream(context, path, range));
  }

  /** Opens a file to read parts of it. `close` of the boundary waits for its `close`. */
  open(path: string): Promise<FileReader> {
    return this.#use((context) => openReader(context, path));
  }

  list(path: string, options?: ListOptions): Promise<Listing> {
    return this.#use((context) => list(context, path, options));
  }

  walk(path: string, options?: WalkOptions): Walk {
    return walk(this.#context, path, options);
  }

  /** Reads the texts of a tree, in order. Opens only files that may be read. */
  async *readTexts(path: string, options: ReadTextsOptions): FileTexts {
    const { readTexts } = await import('./read/read-texts.ts');
    return yield* readTexts(this.#context, path, options);
  }

  /**
   * @internal Removes temporary files that killed writers left in the tree, within bounds; see `sweepTree`.
   */
  sweep(options: SweepOptions): Promise<TreeSweep> {
    return this.#use(async (context) => (await import('./write/sweep-tree.ts')).sweepTree(context, options));
  }

  write(path: string, data: string | Uint8Array, options?: WriteOptions): Promise<void> {
    return this.#use((context) => write(context, path, data, options));
  }

  /** Changes the content of a file, given its current content; see `update` for concurrent writers. */
  update(path: string, change: ContentUpdate, options?: UpdateOptions): Promise<void> {
    return this.#use((context) => update(context, path, change, options));
  }

  append(path: string, data: string | Uint8Array, options?: AppendOptions): Promise<void> {
    return this.#use((context) => append(context, path, data, options));
  }

  /** Opens a file for appending whole lines. `close` of the boundary waits for its `close`. */
  openLog(path: string, options?: AppendOptions): LogFile {
    return openLogFile(this.#context, path, options);
  }

  /** Takes the lock that belongs to the name of a file. `close` waits for its `release`. */
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

  /**
   * Runs a command line in a sandbox that holds little more than this root; see `runConfined` for the
   * guarantees.
   */
  runConfined(path: string, run: ConfinedOptions): Promise<ConfinedEnd> {
    return this.#use(async (context) =>
      (await import('./process/confined-run.ts')).runConfined(context, path, run),
    );
  }

  /**
   * Runs a command line in a directory of this root. Nothing confines it there, and no rule applies to it.
   */
  runUnchecked(path: string, run: RunOptions): Promise<RunEnd> {
    return this.#use(async (context) =>
      (await import('./process/unchecked-run.ts')).runUnchecked(context, path, run),
    );
  }

  /** Refuses new operations, ends watches, waits for running operations, and closes the directory. */
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
