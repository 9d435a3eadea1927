import type { RootwardError } from '../../errors.ts';
import type { RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import type { Project } from '../project/project.ts';
import type { SourceName } from '../sources/all-sources.ts';
import type { Trust } from '../sources/trust.ts';

/** What became of one source. */
export interface TrailStep {
  readonly source: SourceName;
  /**
   * `chosen`: it named the project. `refused`: what it named cannot be used. `absent`: it named nothing.
   * `passed`: it would have named something, but an earlier one was chosen.
   */
  readonly outcome: 'chosen' | 'refused' | 'absent' | 'passed';
  /** What it named, as it was found. */
  readonly offered: readonly string[];
  /** Why, as the end of a sentence. */
  readonly reason: string;
}

interface ResolutionRecord {
  /** Every source, in the order in which they were asked. */
  readonly trail: readonly TrailStep[];
  readonly issues: readonly RootIssue[];
  /**
   * What somebody named: the client's roots, the operator's directories, or the project that was found. Which of
   * them count is not decided here: `merge` puts operator and client together.
   */
  readonly roots: readonly Root[];
}

/** Which project? With the whole way to the answer. */
export type Resolution =
  | (ResolutionRecord & {
      readonly status: 'resolved';
      readonly project: Project;
      readonly source: SourceName;
      readonly confidence: Trust;
    })
  | (ResolutionRecord & {
      readonly status: 'ambiguous';
      readonly candidates: readonly Project[];
      readonly error: RootwardError<'AMBIGUOUS_PROJECT'>;
    })
  | (ResolutionRecord & {
      readonly status: 'unresolved';
      readonly error: RootwardError<'PROJECT_NOT_FOUND'>;
    });
