import type { Profile } from './profile.ts';
import type { Signals } from './signals.ts';
import type { SourceName } from './source-name.ts';
import type { Trust } from './trust.ts';

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
export type Offer = { readonly places: readonly OfferedPlace[] } | { readonly none: string };

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
  offer(signals: Signals, profile: Profile | undefined): Offer;
}
