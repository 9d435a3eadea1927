import type { Dirent } from 'node:fs';
import { Turns } from '../../base/turns.ts';
import { RootwardError } from '../../errors.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { keptIdentity } from '../step/open-file.ts';
import type { Operation } from '../step/operation.ts';
import type { Directory, PinnedEntry } from '../system/driver.ts';
import { createEntryReader, type EntryReader } from '../system/entry-reader.ts';
import { isErrno, translate } from '../system/errno.ts';
import { type EntryKind, kindOf } from '../system/file-info.ts';
import type { TreeMask, TreeMasks } from './sandbox-arguments.ts';

export interface FindMasksOptions {
  /** Whether the program may write at all; if not, no entry needs protection of its own. */
  readonly writable: boolean;
  readonly request: BoundaryRequest;
  /** Most entries to scan; a million by default. */
  readonly entries?: number;
  /** Time limit; 20,000 by default. */
  readonly milliseconds?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Each mask is a mount, and most need a handle. */
const mostMasks = 1_000;
/** A directory with more hidden entries than this is hidden as a whole. */
const mostInOne = 100;

/**
 * Scans everything in the root, ignored or not, and finds what a program must not see or change: entries that
 * the guard refuses, entries that the boundary itself would refuse (sockets, FIFOs, devices; mounts and hard
 * links where they are refused), and unreadable directories. A directory with very many hidden entries is
 * hidden as a whole. Other roots within this one, and the directories that lead to them, keep their names.
 *
 * @throws {RootwardError} `TREE_TOO_LARGE` if not everything could be scanned
 */
export async function findMasks(context: BoundaryContext, options: FindMasksOptions): Promise<TreeMasks> {
  const search = new MaskSearch(context, options);
  try {
    await search.run();
    return search.take();
  } catch (error) {
    search.close();
    throw translate(error, options.request);
  }
}

interface Frame {
  readonly directory: Directory;
  /** Path of the directory, with a slash at the end; empty for the root. */
  readonly prefix: string;
  /** Nothing in it can be changed, so nothing in it can be moved. */
  readonly isProtected: boolean;
  isPinned: boolean;
  /** The number of hidden entries in it. */
  hidden: number;
  /** Directories still to enter, once all of it was read. */
  children: Child[];
  /** Open from the first part of its entries to the last. */
  reader: EntryReader | undefined;
  isRead: boolean;
}

interface Child {
  readonly name: string;
  readonly isProtected: boolean;
}

class MaskSearch {
  readonly #context: BoundaryContext;
  readonly #options: FindMasksOptions;
  readonly #stack: Frame[] = [];
  readonly #masks: TreeMask[] = [];
  #seen = 0;

  constructor(context: BoundaryContext, options: FindMasksOptions) {
    this.#context = context;
    this.#options = options;
    const directory = context.driver.duplicate(context.top);
    this.#push({ directory, prefix: '', isProtected: !options.writable, isPinned: true });
  }

  async run(): Promise<void> {
    const { milliseconds = 20_000, signal } = this.#options;
    const deadline = performance.now() + milliseconds;
    const turns = new Turns(signal);
    while (this.#stack.length > 0) {
      this.#step();
      if (!turns.isOver) continue;
      if (performance.now() > deadline) throw this.#tooLarge();
      await turns.next();
    }
  }

  /** Outer masks first: a mount hides earlier mounts beneath it. */
  take(): TreeMasks {
    const depth = ({ path }: TreeMask): number => path.split('/').length;
    const masks = this.#masks.toSorted((one, other) => depth(one) - depth(other));
    const hidden = masks.filter(({ cover }) => cover === 'hide').length;
    return { masks, hidden, [Symbol.dispose]: () => this.close() };
  }

  close(): void {
    const { driver } = this.#context;
    while (this.#stack.length > 0) this.#pop();
    for (const mask of this.#masks.splice(0)) if ('held' in mask) driver.close(mask.held);
  }

  #step(): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) return;
    if (!frame.isRead) return this.#read(frame);
    const child = frame.children.pop();
    if (child === undefined) this.#pop();
    else this.#enter(frame, child);
  }

  #push(frame: Pick<Frame, 'directory' | 'prefix' | 'isProtected' | 'isPinned'>): void {
    this.#stack.push({ ...frame, hidden: 0, children: [], reader: undefined, isRead: false });
  }

  #pop(): void {
    const frame = this.#stack.pop();
    if (frame === undefined) return;
    frame.reader?.close();
    this.#context.driver.close(frame.directory);
  }

  /**
   * Judges one part of the entries, so that a directory with very many does not block the process. An
   * unreadable directory is hidden, because its owner, perhaps this user, could make it readable again.
   */
  #read(frame: Frame): void {
    try {
      frame.reader ??= createEntryReader(this.#context.driver, frame.directory);
      const part = frame.reader.next();
      if (part === undefined) return this.#endReading(frame);
      for (const entry of part) {
        this.#judge(frame, entry);
        if (frame.hidden > mostInOne && frame.prefix !== '') return this.#hideWhole(frame);
      }
    } catch (error) {
      if (frame.prefix === '' || !isErrno(error, 'EACCES', 'EPERM')) throw error;
      this.#hide(frame);
    }
  }

  #endReading(frame: Frame): void {
    frame.isRead = true;
    frame.reader?.close();
    frame.reader = undefined;
  }

  /** Replaces many masks in a directory by one over it. */
  #hideWhole(frame: Frame): void {
    const { prefix } = frame;
    const isWithin = (mask: TreeMask): boolean =>
      mask.path === prefix.slice(0, -1) || mask.path.startsWith(prefix);
    const within = this.#masks.filter(isWithin);
    for (const mask of within) if ('held' in mask) this.#context.driver.close(mask.held);
    const others = this.#masks.filter((mask) => !isWithin(mask));
    this.#masks.splice(0, this.#masks.length, ...others);
    this.#hide(frame);
  }

  /** Hides the directory that is being read, with everything in it. */
  #hide(frame: Frame): void {
    frame.children = [];
    this.#endReading(frame);
    const above = this.#stack.slice(0, -1);
    this.#add(above, { cover: 'hide', path: frame.prefix.slice(0, -1), directory: true });
  }

  #judge(frame: Frame, entry: Dirent): void {
    const { entries: most = 1_000_000 } = this.#options;
    this.#seen += 1;
    if (this.#seen > most) throw this.#tooLarge();
    const path = frame.prefix + entry.name;
    const kind = kindOf(entry);
    // The target of a link is judged by its own name, and nothing outside of the root is in the sandbox.
    if (kind === 'link') return;
    const directory = kind === 'directory';
    if (this.#isRefused(path, hiding) || this.#isForbidden(frame, entry.name, kind)) {
      frame.hidden += 1;
      this.#add(this.#stack, { cover: 'hide', path, directory });
      return;
    }
    const protect = !frame.isProtected && this.#isRefused(path, protecting);
    if (protect) this.#protect(frame, entry.name);
    // A name that is not UTF-8 cannot be passed to bubblewrap, so nothing in it could be hidden.
    if (directory && entry.name.includes('\uFFFD')) throw this.#tooLarge();
    if (directory) frame.children.push({ name: entry.name, isProtected: frame.isProtected || protect });
  }

  #isRefused(path: string, operations: readonly Operation[]): boolean {
    const { guard } = this.#context;
    return operations.some((operation) => guard?.(operation, path, true) !== undefined);
  }

  /** Whether no operation of the boundary would open it. */
  #isForbidden({ directory }: Frame, name: string, kind: EntryKind): boolean {
    const { driver, mount, hardLinks, kept } = this.#context;
    if (kind !== 'file' && kind !== 'directory') return true;
    const isLookedAt = kind === 'file' && (hardLinks === 'refuse' || kept?.linked === true);
    if (mount === undefined && !isLookedAt) return false;
    const pinned = this.#hold(directory, name);
    if (pinned === undefined) return false;
    try {
      if (mount !== undefined && driver.mountOf(pinned) !== mount) return true;
      if (kind === 'file' && kept?.files.has(keptIdentity(pinned.stats)) === true) return true;
      return hardLinks === 'refuse' && kind === 'file' && pinned.stats.nlink > 1;
    } finally {
      driver.close(pinned);
    }
  }

  #protect(frame: Frame, name: string): void {
    const held = this.#hold(frame.directory, name);
    if (held !== undefined) this.#add(this.#stack, { cover: 'protect', path: frame.prefix + name, held });
  }

  /** Returns `undefined` if it is gone since it was listed. */
  #hold(directory: Directory, name: string): PinnedEntry | undefined {
    try {
      return this.#context.driver.pin(directory, name);
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /**
   * Adds a mask and pins the directories above, which must not be moved away from the paths that rules refer
   * to.
   */
  #add(above: readonly Frame[], mask: TreeMask): void {
    if (mask.path.includes('\uFFFD')) throw this.#tooLarge();
    this.#requireOneName(above.at(-1));
    this.#pin(above);
    this.#masks.push(mask);
    if (this.#masks.length > mostMasks) throw this.#tooLarge();
  }

  /** A mount covers one name of a file. If the disk opens it under other names too, nothing can be hidden. */
  #requireOneName(frame: Frame | undefined): void {
    if (frame === undefined || this.#context.driver.isExact(frame.directory) !== false) return;
    const reason =
      'the disk opens files under more names than it lists, so that none can be hidden from a program';
    throw new RootwardError('CANNOT_CONFINE', { path: this.#options.request.path, reason });
  }

  #pin(frames: readonly Frame[]): void {
    for (const frame of frames) {
      if (frame.isPinned || frame.isProtected) continue;
      frame.isPinned = true;
      const held = this.#context.driver.duplicate(frame.directory);
      this.#masks.push({ cover: 'pin', path: frame.prefix.slice(0, -1), held });
    }
  }

  /** Whether this is a root within this one, or leads to one. As a mount it cannot be moved. */
  #isInner(directory: Directory): boolean {
    const { inner, driver } = this.#context;
    return inner !== undefined && inner.directories.has(driver.identityOf(directory));
  }

  #enter(frame: Frame, { name, isProtected }: Child): void {
    try {
      const directory = this.#context.driver.enter(frame.directory, name);
      // A protected directory is already a mount.
      const isPinned = isProtected;
      this.#push({ directory, prefix: `${frame.prefix}${name}/`, isProtected, isPinned });
      if (this.#isInner(directory)) this.#pin(this.#stack);
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return;
      // It has changed or cannot be entered: entries that were not scanned must not be shown.
      throw isErrno(error) ? this.#tooLarge() : error;
    }
  }

  #tooLarge(): Error {
    const { verb, path } = this.#options.request;
    return new RootwardError('TREE_TOO_LARGE', { verb, path, remedy });
  }
}

/** An entry is hidden if any of these operations is refused on it. */
const hiding = ['read', 'list', 'execute'] as const;
const protecting = ['write', 'remove'] as const;

/** A command sees the whole root, wherever it starts. */
const remedy =
  'All of the root is scanned before a command runs. The operator of the server can name a smaller directory, ' +
  'or deny directories as a whole instead of many files in them';
