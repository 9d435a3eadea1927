import type { RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import type { RootStatus } from './liveness.ts';
import type { ContentOptions } from './root-content.ts';

export interface WatchRootsOptions {
  /** Told about each root once it was first looked at, and whenever its status is another. */
  readonly onChange?: (status: RootStatus, before: RootStatus | undefined) => void;
  /** Told what is watched with less than the system could do, and why. */
  readonly onIssue?: (issue: RootIssue) => void;
  /** Watches what is in the roots too; their liveness alone by default. */
  readonly content?: ContentOptions;
  /** How long to wait for more before a look, so that one rename is one change; 100 by default. */
  readonly settleMilliseconds?: number;
  /** How often to ask what is mounted, which no system tells by itself; 2,000 by default. */
  readonly mountMilliseconds?: number;
  /** How often to look at roots that cannot be watched; 5,000 by default. */
  readonly pollMilliseconds?: number;
  /** How long one look may take until its root counts as unmounted; 5,000 by default. */
  readonly lookMilliseconds?: number;
  /** Closes it. */
  readonly signal?: AbortSignal;
}

/** Roots under watch. */
export interface RootWatch extends AsyncDisposable {
  /** Of every root that was looked at, in the order in which they were added. */
  readonly statuses: readonly RootStatus[];
  /** Fulfilled when every root that was given has been looked at, and its content is watched if that is wanted. */
  readonly ready: Promise<void>;
  /** How many directories are watched for the liveness of all roots. */
  readonly directories: number;
  status(path: string): RootStatus | undefined;
  /** Watches more; what is watched already stays as it is. Fulfilled when they have been looked at. */
  add(roots: readonly Root[]): Promise<void>;
  /** Watches them no longer, by their paths. Nothing is told about it. */
  remove(paths: readonly string[]): void;
  /** Looks at everything now, without waiting to be told. */
  look(): Promise<void>;
  /** Ends it: no watch, timer or handle stays. Whatever is still being looked at is told to nobody. */
  close(): Promise<void>;
}
