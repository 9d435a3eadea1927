import type { BoundaryOperation } from './boundary-operation.ts';
import { changingOperations } from './changing-operations.ts';
import { movingOperations } from './moving-operations.ts';
import { readingOperations } from './reading-operations.ts';

/**
 * From Node 24 on `rmSync` is another program, which goes wrong where a path ends with a slash or a dot. With
 * nothing to compare with, trees are removed in these tables on older versions alone.
 */
const hasPlainRemove = Number.parseInt(process.versions.node, 10) < 24;

/** Everything that a boundary can do with a path. */
export const operations: readonly BoundaryOperation[] = [
  ...readingOperations,
  ...changingOperations.filter(({ name }) => hasPlainRemove || name !== 'remove of a tree'),
  ...movingOperations,
];
