import { type Dir, type Dirent, opendirSync, readdirSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { compileGlobs, type GlobSet } from '../path/glob.ts';
import type { BoundaryContext, Request } from './context.ts';
import type { Directory } from './driver.ts';
import { isErrno, translate } from './errno.ts';
import { type EntryKind, kindOf } from './file-info.ts';
import { type IgnoreRules, isIgnored, readIgnoreRules } from './gitignore.ts';
import { isHidden, openDirectory } from './list.ts';

export interface WalkOptions {
  /** Globs relative to the root; what they match is left out, directories with all that is in them. */
  readonly ignore?: readonly string[];
  /** Leave out what `.gitignore` files say, and `.git` itself. */
  readonly gitignore?: boolean;
  /** How many directories deep; 128 by default. */
  readonly depth?: number;
  /** How many entries at most; a million by default. */
  readonly entries?: number;
  /** How long at most; no bound by default, because `signal` is one. */
  readonly milliseconds?: number;
  readonly signal?: AbortSignal;
}

export interface WalkEntry {
  /** Relative to the root, with `/` between names. */
  readonly path: string;
  readonly kind: EntryKind;
}

/** A walk through a tree: links are entries, never followed. Iterate once. */
export interface Walk extends AsyncIterable<WalkEntry> {
  /** The same entries, one directory at a time. */
  batches(): AsyncIterableIterator<readonly WalkEntry[]>;
  /** Which limit ended it early; `undefined` if it saw everything. */
  readonly stopped: 'entries' | 'time' | 'depth' | undefined;
  /** Directories that could not be read. */
  readonly skipped: number;
}

/** Goes through a tree with the directories held open, so no name is resolved twice. */
export function walk(context: BoundaryContext, path: string, options: WalkOptions = {}): Walk {
  return new TreeWalk(context, { operation: 'list', verb: 'walk', path }, options);
}

/** How long a walk may hold the process before it lets others run. */
const turn = 8;

interface Frame {
  readonly directory: Directory;
  /** Of the directory, with a slash at the end; empty for the root. */
  readonly prefix: string;
  readonly children: string[];
  readonly rules: readonly IgnoreRules[];
}

class TreeWalk implements Walk {
  readonly #context: BoundaryContext;
  readonly #request: Request;
  readonly #options: WalkOptions;
  readonly #ignore: GlobSet | undefined;
  readonly #stack: Frame[] = [];
  #seen = 0;
  #stopped: Walk['stopped'];
  #skipped = 0;

  constructor(context: BoundaryContext, request: Request, options: WalkOptions) {
    this.#context = context;
    this.#request = request;
    this.#options = options;
    const { ignore = [] } = options;
    this.#ignore = ignore.length > 0 ? compileGlobs(ignore, { platform: context.platform }) : undefined;
  }

  get stopped(): Walk['stopped'] {
    return this.#stopped;
  }

  get skipped(): number {
    return this.#skipped;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WalkEntry> {
    for await (const batch of this.batches()) yield* batch;
  }

  async *batches(): AsyncGenerator<readonly WalkEntry[]> {
    const leave = this.#context.lease.enter();
    try {
      yield* this.#directories();
    } catch (error) {
      throw translate(error, this.#request);
    } finally {
      for (const { directory } of this.#stack) this.#context.driver.close(directory);
      leave();
    }
  }

  async *#directories(): AsyncGenerator<readonly WalkEntry[]> {
    const { milliseconds = Number.POSITIVE_INFINITY, signal } = this.#options;
    const start = performance.now();
    let turnEnd = start + turn;
    const { directory, relative } = openDirectory(this.#context, this.#request);
    yield* this.#read(directory, relative === '' ? '' : `${relative}/`, []);
    while (this.#stopped !== 'entries') {
      const next = this.#enterNext();
      if (next === 'end') return;
      if (next !== undefined) yield* this.#read(next.directory, next.prefix, next.rules);
      const now = performance.now();
      if (now - start > milliseconds) this.#stopped = 'time';
      if (this.#stopped === 'time') return;
      if (now < turnEnd) continue;
      await setImmediate();
      signal?.throwIfAborted();
      turnEnd = performance.now() + turn;
    }
  }

  /** Enters one more directory; `undefined` if it could not be entered. */
  #enterNext(): Omit<Frame, 'children'> | 'end' | undefined {
    const frame = this.#stack.at(-1);
    if (frame === undefined) return 'end';
    const name = frame.children.pop();
    if (name === undefined) {
      this.#stack.pop();
      this.#context.driver.close(frame.directory);
      return undefined;
    }
    const directory = this.#tryEnter(frame.directory, name);
    return directory && { directory, prefix: `${frame.prefix}${name}/`, rules: frame.rules };
  }

  #tryEnter(parent: Directory, name: string): Directory | undefined {
    const { driver, mount } = this.#context;
    try {
      const directory = driver.enter(parent, name);
      if (mount === undefined || driver.mountOf(directory) === mount) return directory;
      driver.close(directory);
    } catch (error) {
      // Gone, exchanged, or not ours to read since it was listed: a walk goes on.
      if (!isErrno(error)) throw error;
    }
    this.#skipped += 1;
    return undefined;
  }

  async *#read(
    directory: Directory,
    prefix: string,
    above: readonly IgnoreRules[],
  ): AsyncGenerator<readonly WalkEntry[]> {
    const rules = this.#rulesOf(directory, prefix, above);
    const frame: Frame = { directory, prefix, children: [], rules };
    this.#stack.push(frame);
    for await (const entries of this.#entriesOf(directory)) {
      const batch = this.#keep(entries, frame);
      if (batch.length > 0) yield batch;
      if (this.#stopped === 'entries') return;
    }
    if (frame.children.length > 0 && this.#stack.length > (this.#options.depth ?? 128)) {
      frame.children.length = 0;
      this.#stopped ??= 'depth';
    }
  }

  #rulesOf(directory: Directory, prefix: string, above: readonly IgnoreRules[]): readonly IgnoreRules[] {
    if (this.#options.gitignore !== true) return above;
    const own = readIgnoreRules(this.#context.driver, directory, prefix.length);
    return own === undefined ? above : [...above, own];
  }

  /** The whole directory at once, or in parts if it is very large. */
  async *#entriesOf(directory: Directory): AsyncGenerator<readonly Dirent[]> {
    const path = this.#context.driver.self(directory);
    try {
      if (statSync(path).size <= largeDirectory) yield readdirSync(path, { withFileTypes: true });
      else yield* readInParts(path, this.#options.signal);
    } catch (error) {
      if (!isErrno(error)) throw error;
      this.#skipped += 1;
    }
  }

  #keep(entries: readonly Dirent[], frame: Frame): readonly WalkEntry[] {
    const { entries: most = 1_000_000 } = this.#options;
    const batch: WalkEntry[] = [];
    for (const entry of entries) {
      const kind = kindOf(entry);
      const path = frame.prefix + entry.name;
      if (this.#isLeftOut(path, entry.name, kind, frame)) continue;
      if (this.#seen === most) {
        this.#stopped = 'entries';
        return batch;
      }
      this.#seen += 1;
      batch.push({ path, kind });
      if (kind === 'directory') frame.children.push(entry.name);
    }
    return batch;
  }

  #isLeftOut(path: string, name: string, kind: EntryKind, { prefix, rules }: Frame): boolean {
    if (this.#context.guard !== undefined && isHidden(this.#context, prefix.slice(0, -1), name)) return true;
    if (this.#ignore?.match(path) !== undefined) return true;
    if (this.#options.gitignore !== true) return false;
    return name === '.git' || isIgnored(rules, path, kind === 'directory');
  }
}

/** Size of a directory file above which its entries are read in parts. */
const largeDirectory = 256 * 1024;

const partSize = 1_024;

async function* readInParts(
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Dirent[]> {
  const entries = opendirSync(path, { bufferSize: partSize });
  try {
    for (let part = readPart(entries); part.length > 0; part = readPart(entries)) {
      yield part;
      await setImmediate();
      signal?.throwIfAborted();
    }
  } finally {
    entries.closeSync();
  }
}

function readPart(entries: Dir): readonly Dirent[] {
  const part: Dirent[] = [];
  while (part.length < partSize) {
    const entry = entries.readSync();
    if (entry === null) break;
    part.push(entry);
  }
  return part;
}
