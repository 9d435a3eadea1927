import type { AuditSink } from '../../audit/sink.ts';
import type { RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import type { AccessRequest } from '../../policy/decide.ts';
import type { TrailStep } from '../../workspace/chain/resolution.ts';
import type { Project } from '../../workspace/project/project.ts';
import type { SourceName } from '../../workspace/sources/all-sources.ts';
import type { Trust } from '../../workspace/sources/trust.ts';
import type { Location } from '../../workspace/workspace.ts';
import type { CallContext } from '../sdk/call-context.ts';
import type { PathCheck } from './path-check.ts';

/** A change: the roots that a client lists now. */
export interface RootsChange {
  readonly sessionId: string | undefined;
  /** Empty if the client revoked them or does not list them. */
  readonly roots: readonly Root[];
}

export interface ViewOptions {
  /** A directory that the caller names for this call: an absolute path or a file URI inside what is allowed. */
  readonly cwd?: string;
}

/** The workspace of each call, for the author of a server. */
export interface Rootward extends AsyncDisposable {
  /**
   * Finds the project, and asks the client once if necessary. Without a context it uses stored facts and the
   * process, and never asks.
   *
   * @throws {RootwardError} `PROJECT_NOT_FOUND`, `AMBIGUOUS_PROJECT` or `NO_ROOTS`, with the remedy
   */
  workspace(context?: CallContext, options?: ViewOptions): Promise<CallWorkspace>;
  /** The roots that can be reached; empty if there are none. */
  roots(context?: CallContext, options?: ViewOptions): Promise<readonly Root[]>;
  /**
   * Whether the text of a path lies inside the roots, without waiting; `undefined` while they are unknown. Only
   * `access` knows where links lead.
   */
  contains(context: CallContext | undefined, path: string): boolean | undefined;
  /**
   * Finds the root, decides, acts and records. The path is absolute, relative to the project, or a file URI.
   *
   * @throws {RootwardError}
   */
  access<Result>(
    context: CallContext | undefined,
    request: AccessRequest,
    act: (location: Location) => Result | Promise<Result>,
  ): Promise<Result>;
  /** The decision of `access` and the place it would act on, without asking a person and without acting. */
  check(context: CallContext | undefined, request: AccessRequest): Promise<PathCheck>;
  /** Calls the listener when a client's roots have changed. Returns a function that stops it. */
  on(event: 'change', listener: (change: RootsChange) => void): () => void;
  /** The sink that receives decisions. */
  readonly audit: AuditSink;
  /** Detaches and releases everything. The server continues as before. */
  close(): Promise<void>;
}

/** A project known only by a name that the caller switched to. It opens no files. */
export interface NamedProject {
  readonly name: string;
  readonly location: undefined;
  readonly id: string;
  readonly kind: 'name';
  readonly markers: readonly [];
}

/** The workspace of one call as plain data, unchanged until the call ends. */
export interface CallWorkspace {
  readonly project: Project | NamedProject;
  /** The roots in the order of their sources; empty if nothing can be reached. */
  readonly roots: readonly Root[];
  readonly source: SourceName;
  readonly confidence: Trust;
  /** Every source in the order in which it was asked. */
  readonly trail: readonly TrailStep[];
  readonly issues: readonly RootIssue[];
  /** One sentence that explains why these roots count. */
  readonly why: string;
  /** Different for each snapshot of a connection. */
  readonly revision: number;
}
