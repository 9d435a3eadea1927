import type { Root } from '../../path/root.ts';
import type { RootsAnswer } from './roots-answer.ts';
import type { Trust } from './trust.ts';

/** One place that a source names. */
export interface OfferedPlace {
  /** A path or file URI, as found. */
  readonly text: string;
  /** The name that the sender gives it. */
  readonly name?: string;
  /** The exact origin: a variable or a key. */
  readonly via?: string;
  /** A remark, worded as the end of a sentence. */
  readonly note?: string;
  /** Set if it is lower than the trust of the source. */
  readonly trust?: Trust;
}

/** The answer of a source: places, or the reason why it has none. `dropped`: entries that are no places. */
export type SourceOffer =
  | { readonly places: readonly OfferedPlace[] }
  | { readonly none: string; readonly dropped?: readonly string[] };

/** A source of candidates for the project. */
export interface RootSource {
  readonly trust: Trust;
  /**
   * Whether a person, the client or the operator named the place on purpose. A guess must not be a home
   * directory, a cache or a whole disk.
   */
  readonly explicit: boolean;
  /** Chosen by the caller, so it must lie within the roots of the operator or the client. */
  readonly bounded?: boolean;
  /** The text comes from the client or the model: if there is a bound, nothing outside of it is looked at. */
  readonly fromOutside?: boolean;
  /** If it cannot be used, no other source may answer in its place. */
  readonly final?: boolean;
  /** The place is only the start of an upward search. */
  readonly upward?: boolean;
  /** Reads the signals, with the known facts about the client. */
  offer(signals: Signals, client: ClientFacts | undefined): SourceOffer;
}

/** Sources by their names, in the order in which they are asked. */
export type SourceTable<Name extends string> = { readonly [Key in Name]: RootSource };

/** How a client names the project to its servers. */
export interface ClientFacts {
  /** `never`: the directory in which it starts servers is unrelated to the project. */
  readonly cwd?: 'never';
  readonly environment?: readonly ProfileVariable[];
  readonly meta?: readonly ProfileMeta[];
}

/** A variable in which a client names the project to its servers. */
export interface ProfileVariable {
  readonly name: string;
  /** One directory, or a list separated by commas (or a JSON array). */
  readonly kind: 'directory' | 'list';
  readonly trust: Trust;
  /** Counts only if another variable has this value. */
  readonly when?: { readonly name: string; readonly value: string };
}

/** A position in the `_meta` of a request where a client names the project. */
export interface ProfileMeta {
  readonly path: readonly string[];
  /** A path, a file URI, or an object whose keys are paths. */
  readonly kind: 'path' | 'uri' | 'keys';
}

/**
 * All signals that could identify the project, as data. Sources do not read the process themselves: the
 * caller decides what counts.
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
  /** The last good list of this connection, while no new one is available. */
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
