import type { Root } from '../../path/root.ts';
import type { RootsAnswer } from './roots-answer.ts';
import type { Trust } from './trust.ts';

/** One place that a source names. */
export interface OfferedPlace {
  /** A path or file URI, as it was found. */
  readonly text: string;
  /** The name that the sender gives it. */
  readonly name?: string;
  /** More exactly where it was found: a variable, a key. */
  readonly via?: string;
  /** A remark on it, as the end of a sentence. */
  readonly note?: string;
  /** Where this is less than the trust of the source. */
  readonly trust?: Trust;
}

/** The answer of a source: places, or why it has none. */
export type SourceOffer = { readonly places: readonly OfferedPlace[] } | { readonly none: string };

/** Where a candidate for the project comes from. */
export interface RootSource {
  readonly trust: Trust;
  /**
   * Whether a person, the client or the operator said so on purpose. A guess must not be a home directory, a cache
   * or a whole disk.
   */
  readonly explicit: boolean;
  /** Chosen by the caller, so it must lie within what the operator or the client allowed. */
  readonly bounded?: boolean;
  /** Its text comes from the client or the model: where a bound is, nothing outside of that is looked at for it. */
  readonly told?: boolean;
  /** Meant as it is said: if it cannot be used, no other source may answer in its place. */
  readonly final?: boolean;
  /** The place is only where the search for a project begins. */
  readonly upward?: boolean;
  /** Reads the signals, with what is known about the client. */
  offer(signals: Signals, client: ClientFacts | undefined): SourceOffer;
}

/** Sources by their names, in the order in which they are asked. */
export type SourceTable<Name extends string> = { readonly [Key in Name]: RootSource };

/** How a client names the project to its servers. */
export interface ClientFacts {
  /** `never`: the directory it starts servers in says nothing about the project. */
  readonly cwd?: 'never';
  readonly environment?: readonly ProfileVariable[];
  readonly meta?: readonly ProfileMeta[];
}

/** A variable with which a client names the project to its servers. */
export interface ProfileVariable {
  readonly name: string;
  /** One directory, or a list with commas between (a JSON array works too). */
  readonly kind: 'directory' | 'list';
  readonly trust: Trust;
  /** Counts only if another variable has this value. */
  readonly when?: { readonly name: string; readonly value: string };
}

/** A place in the `_meta` of a request where a client names the project. */
export interface ProfileMeta {
  readonly path: readonly string[];
  /** A path, a file URI, or an object whose keys are paths. */
  readonly kind: 'path' | 'uri' | 'keys';
}

/**
 * Everything that could tell the project, as data. No source looks at the process by itself: the caller decides what
 * counts.
 */
export interface Signals {
  /** The `cwd` or `project` argument of this call: a path or a file URI. */
  readonly argument?: string;
  /** The project that the operator pinned with `--project`. */
  readonly pinned?: string;
  /** The project that `switch_project` chose in this connection. */
  readonly switched?: string;
  /** `_meta` of this request. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The state of the client's roots. */
  readonly roots?: RootsAnswer;
  /** The last good list of this connection, while a new one is not to be had. */
  readonly remembered?: readonly Root[];
  /** The raw parameters of `initialize`. */
  readonly initialize?: unknown;
  readonly client?: ClientIdentity;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The directory that the process was started in. */
  readonly cwd?: string;
  /** Directories that the operator named: command line, configuration, or the person's own store. */
  readonly ceiling?: readonly Root[];
}

export interface ClientIdentity {
  readonly name: string;
  readonly version?: string;
}
