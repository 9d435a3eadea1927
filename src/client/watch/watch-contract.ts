import type { RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import type { RootStatus } from './liveness.ts';
import type { ContentOptions } from './root-content.ts';

export interface WatchRootsOptions {
  /** Called for each root after the first look, and whenever its status changes. */
  readonly onChange?: (status: RootStatus, before: RootStatus | undefined) => void;
  /** Called when a root is watched less well than the system allows, with the reason. */
  readonly onIssue?: (issue: RootIssue) => void;
  /** Also watches the content of the roots; by default only whether they are usable. */
  readonly content?: ContentOptions;
  /** How long to collect events before a look, so that one rename is one change; 100 by default. */
  readonly settleMilliseconds?: number;
  /** Interval for reading the mounts, because no system reports changes; 2,000 by default. */
  readonly mountMilliseconds?: number;
  /** Interval for looking at roots that cannot be watched; 5,000 by default. */
  readonly pollMilliseconds?: number;
  /** How long a look may take before its root counts as unmounted; 5,000 by default. */
  readonly lookMilliseconds?: number;
  /** Closes the watch when it aborts. */
  readonly signal?: AbortSignal;
}

/** A watch over roots. */
export interface RootWatch extends AsyncDisposable {
  /** The status of every root that was looked at, in the order they were added. */
  readonly statuses: readonly RootStatus[];
  /** Resolves when every given root has been looked at, and its content is watched if requested. */
  readonly ready: Promise<void>;
  /** Number of directories that are watched, without content. */
  readonly directories: number;
  status(path: string): RootStatus | undefined;
  /** Adds roots; watched ones stay as they are. Resolves when the new ones have been looked at. */
  add(roots: readonly Root[]): Promise<void>;
  /** Stops watching these paths, without a report. */
  remove(paths: readonly string[]): void;
  /** Looks at all roots now. */
  look(): Promise<void>;
  /** Ends the watch: no watch, timer or handle remains, and nothing more is reported. */
  close(): Promise<void>;
}
