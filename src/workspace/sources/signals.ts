import type { Root } from '../../path/root.ts';
import type { RootsAnswer } from './roots-answer.ts';

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
