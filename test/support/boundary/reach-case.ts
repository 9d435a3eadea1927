import type { ErrorCode } from '../../../src/errors.ts';

/**
 * A row of another project's table: where a path leads, or that it leads nowhere. In layouts `$ABS` is the real
 * path of the root, which is always named ROOT.
 */
export interface ReachCase {
  readonly title: string;
  readonly layout: readonly string[];
  readonly path: string;
  /** What is reached, named from the root; for a refusal, what would have been. */
  readonly target?: string;
  readonly refused?: ErrorCode;
  /** It fails without a boundary, too. */
  readonly alwaysFails?: boolean;
}
