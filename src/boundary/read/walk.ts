import type { Dirent } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { compileGlobs, type GlobSet } from '../../path/glob.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import type { Directory } from '../system/driver.ts';
import { createEntryReader, type EntryReader } from '../system/entry-reader.ts';
import { isErrno, translate } from '../system/errno.ts';
import { type EntryKind, kindOf } from '../system/file-info.ts';
import { type IgnoreRules, isIgnored, readIgnoreRules, stackRules } from './gitignore.ts';
import { openDirectory } from './list.ts';
import { readRulesAbove } from './rules-above.ts';
import { isUnfinished } from './sweep-temporaries.ts';

/** `enter`: the entry, and its content if it is a directory. `show`: the entry alone. `skip`: neither. */
export type WalkChoice = 'enter' | 'show' | 'skip';

export interface WalkOptions {
  /**
   * Called first, for every name: cheaper than any rule, for a search that knows its target. `show` overrides
   * `.gitignore` files; a skipped entry still counts towards `entries`.
   */
  readonly choose?: (name: string, kind: EntryKind) => WalkChoice;
  /** Globs relative to the root; matching entries are left out, directories with their content. */
  readonly ignore?: readonly string[];
  /** Leaves out entries that `.gitignore` files ignore, and `.git` itself. */
  readonly gitignore?: boolean;
  /** Sorts by name, files before the content of directories; very large directories part by part. */
  readonly sorted?: boolean;
  /** Includes files that are still being written, and removes none of them. Left out by default. */
  readonly unfinished?: boolean;
  /** Greatest depth in directories; 128 by default. */
  readonly depth?: number;
  /** Greatest number of entries; a million by default. */
  readonly entries?: number;
  /** Time limit; none by default, because `signal` can end a walk. */
  readonly milliseconds?: number;
  readonly signal?: AbortSignal;
}

export interface WalkEntry {
  /** Relative to the root, with `/` between names. */
  readonly path: string;
  readonly kind: EntryKind;
}

/** A walk through a tree. Links are entries and are never followed. Can be iterated once. */
export interface Walk extends AsyncIterable<WalkEntry> {
  /** Yields the same entries, one directory at a time. */
  batches(): AsyncIterableIterator<readonly WalkEntry[]>;
  /** Whether the last batch is complete: very large directories come in parts. */
  readonly whole: boolean;
  /** The limit that ended the walk early; `undefined` if it saw everything. */
  readonly stopped: 'entries' | 'time' | 'depth' | undefined;
  /** The number of directories that could not be read. */
  readonly skipped: number;
}

/** Walks a tree with open directory handles, so that no name is resolved twice. */
export function walk(context: BoundaryContext, path: string, options: WalkOptions = {}): Walk {
  return new TreeWalk(context, { operation: 'list', verb: 'walk', path }, options);
}

/** Milliseconds that a walk may occupy the process before it yields. */
const turn = 8;

/** A directory of a walk. The holder releases it once. */
export interface HeldDirectory {
  readonly directory: Directory;
  readonly release: () => void;
}

interface Frame {
  readonly directory: Directory;
  /** How many users keep the directory open: the walk, and each `hold`. */
  holders: number;
  /** Path of the directory, with a slash at the end; empty for the root. */
  readonly prefix: string;
  /** Rules of the directories above. */
  readonly above: readonly IgnoreRules[];
  /** Rules including its own; set once its first names are read. */
  rules?: readonly IgnoreRules[];
  readonly reader: EntryReader;
  /** Names of directories still to enter. */
  children: string[];
  /** The entries that were read, the next one to examine, and the resulting batch. */
  part: readonly Dirent[];
  next: number;
  batch: WalkEntry[];
}

/** Each step is synchronous and short; the walk yields only between steps. */
export class TreeWalk implements Walk {
  readonly #context: BoundaryContext;
  readonly #request: BoundaryRequest;
  readonly #options: WalkOptions;
  readonly #ignore: GlobSet | undefined;
  readonly #stack: Frame[] = [];
  #seen = 0;
  #stopped: Walk['stopped'];
  #skipped = 0;

  constructor(context: BoundaryContext, request: BoundaryRequest, options: WalkOptions) {
    this.#context = context;
    this.#request = request;
    this.#options = options;
    const { ignore = [] } = options;
    this.#ignore = ignore.length > 0 ? compileGlobs(ignore, { platform: context.platform }) : undefined;
  }

  get whole(): boolean {
    return this.#stack.at(-1)?.reader.whole ?? true;
  }

  get stopped(): Walk['stopped'] {
    return this.#stopped;
  }

  get skipped(): number {
    return this.#skipped;
  }

  /** Path of the last batch's directory, with a slash at the end; empty for the root. */
  get prefix(): string {
    return this.#stack.at(-1)?.prefix ?? '';
  }

  /** Keeps that directory open after the walk has left it. Valid until the next batch is requested. */
  hold(): HeldDirectory {
    const frame = this.#stack.at(-1);
    if (frame === undefined) throw new TypeError('the walk is in no directory');
    frame.holders += 1;
    return { directory: frame.directory, release: () => this.#release(frame) };
  }

  [Symbol.asyncIterator](): AsyncIterator<WalkEntry> {
    return flatten(this.batches());
  }

  async *batches(): AsyncGenerator<readonly WalkEntry[]> {
    const leave = this.#context.lease.enter();
    try {
      const { directory, relative } = openDirectory(this.#context, this.#request);
      const above = this.#options.gitignore === true ? readRulesAbove(this.#context, relative) : [];
      this.#push(directory, relative === '' ? '' : `${relative}/`, above);
      yield* this.#steps();
    } catch (error) {
      throw translate(error, this.#request);
    } finally {
      while (this.#stack.length > 0) this.#pop();
      leave();
    }
  }

  async *#steps(): AsyncGenerator<readonly WalkEntry[]> {
    const { milliseconds = Number.POSITIVE_INFINITY, signal } = this.#options;
    const deadline = performance.now() + milliseconds;
    let turnEnd = Math.min(performance.now() + turn, deadline);
    while (this.#stack.length > 0 && this.#stopped !== 'entries') {
      signal?.throwIfAborted();
      const batch = this.#step(turnEnd);
      if (batch.length > 0) yield batch;
      if (performance.now() < turnEnd) continue;
      await setImmediate();
      signal?.throwIfAborted();
      if (performance.now() >= deadline) this.#stopped = 'time';
      if (this.#stopped === 'time') return;
      turnEnd = Math.min(performance.now() + turn, deadline);
    }
  }

  /** Continues in the current directory, or enters the next one below it, or goes back up. */
  #step(turnEnd: number): readonly WalkEntry[] {
    const frame = this.#stack.at(-1);
    if (frame === undefined) return [];
    if (frame.next < frame.part.length) return this.#keep(frame, turnEnd);
    const part = this.#read(frame);
    if (part !== undefined) {
      frame.part = this.#options.sorted === true ? part.toSorted(byName) : part;
      frame.next = 0;
      frame.batch = [];
      return this.#keep(frame, turnEnd);
    }
    const name = frame.children.pop();
    if (name === undefined) this.#pop();
    else this.#enter(frame, name);
    return [];
  }

  #read(frame: Frame): readonly Dirent[] | undefined {
    try {
      const part = frame.reader.next();
      frame.rules ??= this.#rulesOf(frame, part ?? []);
      return part;
    } catch (error) {
      this.#skip(error);
      return undefined;
    }
  }

  #enter(frame: Frame, name: string): void {
    const { driver, mount } = this.#context;
    if (this.#stack.length > (this.#options.depth ?? 128)) return void (this.#stopped ??= 'depth');
    try {
      const directory = driver.enter(frame.directory, name);
      if (mount === undefined || driver.mountOf(directory) === mount) {
        this.#push(directory, `${frame.prefix}${name}/`, frame.rules ?? []);
      } else {
        driver.close(directory);
        this.#skipped += 1;
      }
    } catch (error) {
      this.#skip(error);
    }
  }

  /** Removed, replaced or made unreadable since it was listed: the walk continues. */
  #skip(error: unknown): void {
    if (!isErrno(error)) throw error;
    this.#skipped += 1;
  }

  #push(directory: Directory, prefix: string, above: readonly IgnoreRules[]): void {
    const { driver } = this.#context;
    try {
      const reader = createEntryReader(driver, directory);
      const read = { children: [], part: [], next: 0, batch: [] };
      this.#stack.push({ directory, holders: 1, prefix, above, reader, ...read });
    } catch (error) {
      driver.close(directory);
      throw error;
    }
  }

  #pop(): void {
    const frame = this.#stack.pop();
    if (frame === undefined) return;
    frame.reader.close();
    this.#release(frame);
  }

  #release(frame: Frame): void {
    frame.holders -= 1;
    if (frame.holders === 0) this.#context.driver.close(frame.directory);
  }

  /** Opening a missing file costs more than reading the directory, and most directories have no rules. */
  #rulesOf({ directory, prefix, above, reader }: Frame, part: readonly Dirent[]): readonly IgnoreRules[] {
    if (this.#options.gitignore !== true) return above;
    if (reader.whole && !part.some(({ name }) => name === '.gitignore')) return above;
    const own = readIgnoreRules(this.#context, directory, prefix);
    return stackRules(above, own);
  }

  /** Examines entries until the turn ends; returns the whole batch when done. */
  #keep(frame: Frame, turnEnd: number): readonly WalkEntry[] {
    const { part, batch } = frame;
    while (frame.next < part.length) {
      if (frame.next % 16 === 15 && performance.now() >= turnEnd) return [];
      const entry = part[frame.next];
      frame.next += 1;
      if (entry !== undefined) this.#look(entry, frame);
      if (this.#stopped === 'entries') return batch;
    }
    // The next directory is taken from the end.
    if (this.#options.sorted === true) frame.children = frame.children.toSorted().toReversed();
    return batch;
  }

  #look(entry: Dirent, frame: Frame): void {
    const { choose, unfinished = false, entries: most = 1_000_000 } = this.#options;
    if (!unfinished && isUnfinished(this.#context, frame, entry)) return;
    const kind = kindOf(entry);
    const choice = choose?.(entry.name, kind) ?? 'enter';
    const found: WalkEntry = { path: frame.prefix + entry.name, kind };
    if (choice !== 'skip' && this.#isLeftOut(found, choice, frame, entry.name)) return;
    if (this.#seen === most) return void (this.#stopped = 'entries');
    this.#seen += 1;
    if (choice === 'skip') return;
    frame.batch.push(found);
    if (choice === 'enter' && kind === 'directory') frame.children.push(entry.name);
  }

  #isLeftOut({ path, kind }: WalkEntry, choice: WalkChoice, { rules = [] }: Frame, name: string): boolean {
    if (this.#context.guard?.('list', path, true) !== undefined) return true;
    if (this.#ignore?.match(path) !== undefined) return true;
    if (this.#options.gitignore !== true || choice === 'show') return false;
    return name === '.git' || isIgnored(rules, path, kind === 'directory');
  }
}

function byName(one: Dirent, other: Dirent): number {
  return one.name < other.name ? -1 : 1;
}

/** Yields single entries without another generator, which would cost more than the walk. */
export function flatten<Item>(batches: AsyncGenerator<readonly Item[]>): AsyncIterator<Item> {
  let batch: readonly Item[] = [];
  let index = 0;
  return {
    async next() {
      while (index >= batch.length) {
        const next = await batches.next();
        if (next.done === true) return { done: true, value: undefined };
        batch = next.value;
        index = 0;
      }
      index += 1;
      return { done: false, value: batch[index - 1] as Item };
    },
    async return() {
      await batches.return(undefined);
      return { done: true, value: undefined };
    },
  };
}
