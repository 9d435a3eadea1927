import type { Root } from '../../path/root.ts';
import type { Profile } from './profile.ts';
import type { RootsAnswer } from './roots-answer.ts';
import type { SourceName, Trust } from './source-name.ts';

/** One place that a source names. */
export interface OfferedPlace {
  /** A path or file URI, as it was found. */
  readonly text: string;
  /** What the sender calls it. */
  readonly name?: string;
  /** More exactly where it was found: a variable, a key. */
  readonly via?: string;
  /** What is to be known about it, as the end of a sentence. */
  readonly note?: string;
  /** Where this is less than the trust of the source. */
  readonly trust?: Trust;
}

/** What a source has to say: places, or why it has none. */
export type SourceOffer = { readonly places: readonly OfferedPlace[] } | { readonly none: string };

export interface RootSource {
  readonly name: SourceName;
  readonly trust: Trust;
  /**
   * Whether somebody said so on purpose. What nobody said on purpose must not be a home directory, a cache or
   * a whole disk.
   */
  readonly explicit: boolean;
  /** Chosen by the caller, so it must lie within what somebody else allowed. */
  readonly bounded?: boolean;
  /** Its text comes from the client or the model: where a bound is, nothing outside of that is looked at for it. */
  readonly told?: boolean;
  /** Who says so means it: if that cannot be used, no other source may answer in its place. */
  readonly final?: boolean;
  /** The place is only where the search for a project begins. */
  readonly upward?: boolean;
  offer(signals: Signals, profile: Profile | undefined): SourceOffer;
}

/**
 * Everything that could tell the project, as data. No source looks at the process by itself: whoever calls
 * decides what counts.
 */
export interface Signals {
  /** The `cwd` or `project` argument of this call: a path or a file URI. */
  readonly argument?: string;
  /** What the operator pinned with `--project`. */
  readonly pinned?: string;
  /** What `switch_project` chose in this connection. */
  readonly switched?: string;
  /** `_meta` of this request. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** What is known of the client's roots. */
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
