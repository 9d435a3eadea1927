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

/** What changed: the roots that a client lists now. */
export interface RootsChange {
  readonly sessionId: string | undefined;
  /** None where it took them back, or does not say. */
  readonly roots: readonly Root[];
}

export interface ViewOptions {
  /** A directory that the caller names for this call: an absolute path or a file URI within what is allowed. */
  readonly cwd?: string;
}

/** The workspace of each call, for the author of a server. */
export interface Rootward extends AsyncDisposable {
  /**
   * Which project? Asks the client once, if it has to. Without a context it uses what is remembered and what
   * the process knows, and never asks.
   *
   * @throws {RootwardError} `PROJECT_NOT_FOUND`, `AMBIGUOUS_PROJECT` or `NO_ROOTS`, with the remedy
   */
  workspace(context?: CallContext, options?: ViewOptions): Promise<CallWorkspace>;
  /** What may be reached; empty where nothing may. */
  roots(context?: CallContext, options?: ViewOptions): Promise<readonly Root[]>;
  /**
   * Whether a path lies in the roots, by its text, without waiting: `undefined` while they are not known. Only
   * `access` knows where links lead.
   */
  contains(context: CallContext | undefined, path: string): boolean | undefined;
  /**
   * The sentence: which project? may I? do it, write it down. The path is absolute, relative to the project, or
   * a file URI.
   *
   * @throws {RootwardError}
   */
  access<Result>(
    context: CallContext | undefined,
    request: AccessRequest,
    act: (location: Location) => Result | Promise<Result>,
  ): Promise<Result>;
  /** What `access` would decide, and where it would act, without asking a person and without doing anything. */
  check(context: CallContext | undefined, request: AccessRequest): Promise<PathCheck>;
  /** Tells when the roots of a client became others; returns what stops it. */
  on(event: 'change', listener: (change: RootsChange) => void): () => void;
  /** Where decisions are written down. */
  readonly audit: AuditSink;
  /** Lets everything go. The server goes on as if nothing had been attached. */
  close(): Promise<void>;
}

/** A name that somebody switched to where no place is known: nothing can be reached by it. */
export interface NamedProject {
  readonly name: string;
  readonly location: undefined;
  readonly id: string;
  readonly kind: 'name';
  readonly markers: readonly [];
}

/** What one call sees, from its beginning to its end: plain data, whatever changes meanwhile. */
export interface CallWorkspace {
  readonly project: Project | NamedProject;
  /** What counts, in the order of the sources; empty where nothing may be reached. */
  readonly roots: readonly Root[];
  readonly source: SourceName;
  readonly confidence: Trust;
  /** Every source, in the order in which they were asked. */
  readonly trail: readonly TrailStep[];
  readonly issues: readonly RootIssue[];
  /** Why these roots count, as a sentence. */
  readonly why: string;
  /** Tells one snapshot of a connection from the next. */
  readonly revision: number;
}
