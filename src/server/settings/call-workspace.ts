import type { RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import type { Project } from '../../workspace/project/project.ts';
import type { TrailStep } from '../../workspace/chain/resolution.ts';
import type { SourceName } from '../../workspace/sources/source-name.ts';
import type { Trust } from '../../workspace/sources/trust.ts';

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
