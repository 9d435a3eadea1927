import { RootwardError } from '../../errors.ts';
import type { DiskNames } from '../system/disk-names.ts';
import type { Directory, Driver } from '../system/driver.ts';
import type { LinkRules } from '../system/link-rules.ts';
import type { Operation } from './operation.ts';

/**
 * Called for every name on the way, with the real path from the root, links included; a returned error
 * refuses it. Rules on names belong here: the text of a request says little about the file that is opened in
 * the end.
 */
export type Guard = (operation: Operation, relative: string, last: boolean) => Error | undefined;

/** Limits that apply unless a call sets lower ones. */
export interface BoundaryLimits {
  /** Largest file, in bytes, that may be read whole. */
  readonly fileSize: number;
  /** Most entries of a directory listing. */
  readonly listEntries: number;
}

/**
 * Rootward's own files that may lie in a root. The guard applies rules on names; this covers what names
 * cannot express.
 */
export interface KeptPlaces {
  /**
   * Absolute paths. A command line that could create one of them, or replace a link on the way there, does
   * not run.
   */
  readonly paths: readonly string[];
  /** Files that are not opened under any name, by device and inode. */
  readonly files: ReadonlySet<string>;
  /** Whether one of these files has a second name, which may lie anywhere. */
  readonly linked: boolean;
}

/** Root directories: identity → the path that each was named by. */
export type KnownTops = ReadonlyMap<string, string>;

/**
 * Entries that must keep their name, because they are roots within another root, or lead to one. By identity,
 * not by name.
 */
export interface InnerRoots {
  readonly directories: ReadonlySet<string>;
  /** Names by the identity of their directory: a file gets a new identity each time it is written. */
  readonly files: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Returns the name of the root that a real path belongs to: one boundary can hold places of several roots.
   */
  readonly ownerOf: (path: string) => string | undefined;
}

/** The state that all operations of one boundary share. Immutable, except for `swept`. */
export interface BoundaryContext {
  readonly driver: Driver;
  readonly top: Directory;
  readonly lease: Lease;
  /** The name of the root in messages. */
  readonly name: string;
  readonly platform: 'posix' | 'win32';
  readonly limits: BoundaryLimits;
  readonly hardLinks: 'allow' | 'refuse';
  /** The mount that must not be left; `undefined` if mounts may be crossed. */
  readonly mount: string | undefined;
  /** Absolute paths of the root: as given, and without links. */
  readonly spellings: readonly string[];
  /** Follows an absolute link that lies beneath one of the spellings, instead of refusing it. */
  readonly reroot: boolean;
  /** The only reachable name, if the root is a file. */
  readonly only: string | undefined;
  readonly guard: Guard | undefined;
  /** Finds the listed name of a given one; without it, names are used as given. */
  readonly names?: DiskNames;
  /** Links that the kernel would not follow; without it, all are followed. */
  readonly links?: LinkRules;
  /** Rootward's own files. */
  readonly kept?: KeptPlaces | undefined;
  /** Other roots in this one, and the directories that hold them, which keep their names. */
  readonly inner?: InnerRoots | undefined;
  /** Root directories, this one included. */
  readonly tops?: KnownTops | undefined;
  /** Observes the operations, if present. */
  readonly witness?: Witness | undefined;
  /** By identity: the directories that were searched for leftovers of killed processes. */
  readonly swept?: Map<string, DirectorySweep>;
}

/** One search of a directory. */
export interface DirectorySweep {
  /** The last change known at that time: by this process, or before the search. */
  readonly changed: bigint;
  /** The end of the search, and its duration, in milliseconds. */
  readonly at: number;
  readonly took: number;
}

/** One operation of a boundary. */
export interface BoundaryRequest {
  readonly operation: Operation;
  /** For messages: `Cannot <verb> "<path>"`. */
  readonly verb: string;
  readonly path: string;
  /** Creates missing directories on the way. */
  readonly makeMissing?: boolean;
  /** Throws `WayMissing` if a directory on the way is missing. */
  readonly allowMissing?: boolean;
}

/** All changes that a boundary can make. `moved-here` and `moved-away` are the two ends of a rename. */
export const changeKinds = [
  'made',
  'written',
  'removed',
  'moved-here',
  'moved-away',
  'mode',
  'started',
] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** A change that was made on the disk. */
export interface DiskChange {
  readonly kind: ChangeKind;
  /** Real names from the root, with `/` between them; empty for the root itself. */
  readonly relative: string;
  /** The number of entries; 1 by default. */
  readonly count?: number;
  /** The number of bytes that were written, if any. */
  readonly bytes?: number;
  /** How a text differs from the one that it replaced, if both are known. */
  readonly lines?: { readonly added: number; readonly removed: number };
}

/** The part of a request that a witness needs. */
export interface AskedOperation {
  readonly operation: Operation;
  readonly path: string;
}

/** Observes the operations of a boundary. */
export interface Witness {
  /**
   * Called right before a place is acted on. The path of the request led there, and it is not a link. A
   * returned error stops the operation.
   */
  readonly beforeEffect: (request: AskedOperation, relative: string) => Error | undefined;
  /** Called right after the system has made the change, before anything else can fail. */
  readonly afterEffect: (change: DiskChange) => void;
  /** Called with the number of bytes that were read from a file, for each part of it. */
  readonly afterRead?: (bytes: number) => void;
}

/** Calls the witness for the place that is acted on next. */
export function askWitness(
  { witness }: { readonly witness?: Witness | undefined },
  request: AskedOperation,
  relative: string,
): void {
  const refused = witness?.beforeEffect(request, relative);
  if (refused !== undefined) throw refused;
}

/** Adapts a witness to a boundary that begins further down. */
export function witnessBelow(
  { beforeEffect: about, afterEffect: changed, afterRead }: Witness,
  prefix: string,
): Witness {
  const above = (relative: string): string => [prefix, relative].filter((part) => part !== '').join('/');
  return {
    beforeEffect: (request, relative) => about(request, above(relative)),
    afterEffect: (change) => changed({ ...change, relative: above(change.relative) }),
    ...(afterRead && { afterRead }),
  };
}

/**
 * Counts the operations that use a handle, so that it is closed when the last of them ends and not before:
 * otherwise its number could be reused for another file.
 */
export class Lease {
  readonly #root: string;
  readonly #release: () => void;
  #running = 0;
  #closed: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;
  /** Created on demand: most handles are short-lived. */
  #closing: AbortController | undefined;

  constructor(root: string, release: () => void) {
    this.#root = root;
    this.#release = release;
  }

  /** Aborted when the handle is about to be closed, for operations that would otherwise run forever. */
  get closing(): AbortSignal {
    this.#closing ??= new AbortController();
    if (this.#closed !== undefined) this.#abort();
    return this.#closing.signal;
  }

  /** Runs an operation that needs the handle. */
  async use<Result>(run: () => Result | Promise<Result>): Promise<Result> {
    const leave = this.enter();
    try {
      return await run();
    } finally {
      leave();
    }
  }

  /**
   * For operations that outlive a call, such as a stream. Returns a release function; calling it twice is
   * harmless.
   */
  enter(): () => void {
    if (this.#closed !== undefined) throw new RootwardError('CLOSED', { root: this.#root });
    this.#running += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#running -= 1;
      if (this.#running === 0) this.#whenIdle?.();
    };
  }

  /** Refuses new operations at once, and resolves when the running ones have ended. */
  close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = this.#idle().then(this.#release);
      this.#abort();
    }
    return this.#closed;
  }

  #abort(): void {
    this.#closing?.abort(new RootwardError('CLOSED', { root: this.#root }));
  }

  async #idle(): Promise<void> {
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
  }
}
