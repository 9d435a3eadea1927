import type { RootwardError } from '../../errors.ts';
import type { RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import type { Project } from '../project/project.ts';
import type { SourceName } from '../sources/all-sources.ts';
import type { Trust } from '../sources/trust.ts';

/** The outcome of one source. */
export interface TrailStep {
  readonly source: SourceName;
  /**
   * `chosen`: it named the project. `refused`: the place it named cannot be used. `absent`: it named none.
   * `passed`: it named a place, but an earlier source was chosen.
   */
  readonly outcome: 'chosen' | 'refused' | 'absent' | 'passed';
  /** The places it named, as found. */
  readonly offered: readonly string[];
  /** The reason, worded as the end of a sentence. */
  readonly reason: string;
}

interface ResolutionRecord {
  /** All sources, in the order in which they were asked. */
  readonly trail: readonly TrailStep[];
  readonly issues: readonly RootIssue[];
  /**
   * The named roots: the client's roots, the operator's directories, or the project that was found. `merge`
   * decides later which of them are in effect.
   */
  readonly roots: readonly Root[];
}

/** The resolved project, with the whole trail. */
export type Resolution =
  | (ResolutionRecord & {
      readonly status: 'resolved';
      readonly project: Project;
      readonly source: SourceName;
      readonly confidence: Trust;
      /** The directories that the project was guessed among; empty if it was not guessed. */
      readonly guessedAmong: readonly string[];
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
