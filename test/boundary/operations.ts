import type { BoundaryOperation } from './boundary-operation.ts';
import { changingOperations } from './changing-operations.ts';
import { movingOperations } from './moving-operations.ts';
import { readingOperations } from './reading-operations.ts';

/** Everything that a boundary can do with a path. */
export const operations: readonly BoundaryOperation[] = [
  ...readingOperations,
  ...changingOperations,
  ...movingOperations,
];
