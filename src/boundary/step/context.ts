import type { DiskNames } from '../system/disk-names.ts';
import type { Directory, Driver } from '../system/driver.ts';
import type { LinkRules } from '../system/link-rules.ts';
import type { Lease } from './lease.ts';
import type { Operation } from './operation.ts';

/**
 * Asked for every name that is looked at on the way, relative to the root and with real names only, links
 * included; an error refuses it. Rules on names belong here: the text of a request says little about what
 * is opened in the end.
 */
export type Guard = (operation: Operation, relative: string, last: boolean) => Error | undefined;

/** Bounds that hold unless a call asks for less. */
export interface BoundaryLimits {
  /** Bytes that a file may have to be read whole. */
  readonly fileSize: number;
  /** Entries that a directory listing holds at most. */
  readonly listEntries: number;
}

/**
 * Places of the program itself that may lie in a root. Rules on names are the guard's; this is what names cannot
 * say.
 */
export interface KeptPlaces {
  /** Absolute paths. A command line that could make one of them, or exchange a link on the way there, does not run. */
  readonly paths: readonly string[];
  /** Files that are not opened under any name, by device and inode. */
  readonly files: ReadonlySet<string>;
  /** Whether one of these files has a second name, which may lie anywhere. */
  readonly linked: boolean;
}

/** Directories that are roots: by identity, the path that each was named by. */
export type KnownTops = ReadonlyMap<string, string>;

/** What must keep its name, because it is a root within another root, or leads to one. By identity, not by name. */
export interface InnerRoots {
  readonly directories: ReadonlySet<string>;
  /** By the directory that they are in: a file gets another identity each time it is written. */
  readonly files: ReadonlyMap<string, ReadonlySet<string>>;
  /** The name of the root that a place belongs to, by its real path: one boundary can hold places of several. */
  readonly ownerOf: (path: string) => string | undefined;
}

/** What every operation of one boundary shares. Immutable, but for what it notes about directories it has swept. */
export interface BoundaryContext {
  readonly driver: Driver;
  readonly top: Directory;
  readonly lease: Lease;
  /** What the root is called in messages. */
  readonly name: string;
  readonly platform: 'posix' | 'win32';
  readonly limits: BoundaryLimits;
  readonly hardLinks: 'allow' | 'refuse';
  /** Mount that must not be left; `undefined` to cross freely. */
  readonly mount: string | undefined;
  /** Absolute paths that lead to the root: as it was given, and without links. */
  readonly spellings: readonly string[];
  /** Read an absolute link that lies beneath one of the spellings from the top, instead of refusing it. */
  readonly reroot: boolean;
  /** The one name that may be reached, where the root is a file. */
  readonly only: string | undefined;
  readonly guard: Guard | undefined;
  /** Finds the name that a directory lists for the one that is asked; without it, that is the same. */
  readonly names?: DiskNames;
  /** Links that the system would not follow; without it, there are none. */
  readonly links?: LinkRules;
  /** Places of the program itself. */
  readonly kept?: KeptPlaces | undefined;
  /** Other roots that lie in this one, and what holds them: they keep their names. `undefined` if there are none. */
  readonly inner?: InnerRoots | undefined;
  /** Directories that are roots, this one among them. */
  readonly tops?: KnownTops | undefined;
  /** Follows what is done; `undefined` if nobody does. */
  readonly witness?: Witness | undefined;
  /** By identity: the directories where the leavings of killed processes were looked for. */
  readonly swept?: Map<string, DirectorySweep>;
}

/** One look through a directory. */
export interface DirectorySweep {
  /** When it was last changed as far as we know: by us, or before we looked. */
  readonly changed: bigint;
  /** When the look ended, and how long it took, in milliseconds. */
  readonly at: number;
  readonly took: number;
}

/** One thing that is asked of a boundary. */
export interface BoundaryRequest {
  readonly operation: Operation;
  /** For messages: `Cannot <verb> "<path>"`. */
  readonly verb: string;
  readonly path: string;
  /** Create directories that are missing on the way. */
  readonly makeMissing?: boolean;
  /** End with `WayMissing` where a directory on the way is missing. */
  readonly tellMissing?: boolean;
}

/** Everything that a boundary can do to a disk. `moved-here` and `moved-away` are the two ends of a rename. */
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

/** Something that is different on the disk now. */
export interface DiskChange {
  readonly kind: ChangeKind;
  /** Real names from the root, with `/` between them; empty for the root itself. */
  readonly relative: string;
  /** How many entries; one unless it says otherwise. */
  readonly count?: number;
}

/** What was asked of a boundary, as far as a witness needs it. */
export interface AskedOperation {
  readonly operation: Operation;
  readonly path: string;
}

/** Follows what a boundary does. */
export interface Witness {
  /** Asked right before a place is acted on: the path of the request led there, and it is no link. An error stops it. */
  readonly beforeEffect: (request: AskedOperation, relative: string) => Error | undefined;
  /** Told right after the system has done it, before anything else can fail. */
  readonly afterEffect: (change: DiskChange) => void;
}

/** Asks the witness about the place that is acted on next. */
export function askWitness(
  { witness }: { readonly witness?: Witness | undefined },
  request: AskedOperation,
  relative: string,
): void {
  const refused = witness?.beforeEffect(request, relative);
  if (refused !== undefined) throw refused;
}

/** The same witness for a boundary that begins further down. */
export function witnessBelow(
  { beforeEffect: about, afterEffect: changed }: Witness,
  prefix: string,
): Witness {
  const above = (relative: string): string => [prefix, relative].filter((part) => part !== '').join('/');
  return {
    beforeEffect: (request, relative) => about(request, above(relative)),
    afterEffect: (change) => changed({ ...change, relative: above(change.relative) }),
  };
}
