import { join } from 'node:path';
import type { Operation } from '../../boundary/step/operation.ts';
import type { Location } from '../../workspace/workspace.ts';

/**
 * Where a location really is, as a person would write it: without links beneath the root. Whoever may do the
 * operation there may know.
 */
export async function placeOf(
  { boundary, relative, root }: Location,
  operation: Operation = 'list',
): Promise<string> {
  if (boundary.kind === 'file') return root.path;
  const { relative: real } = await boundary.probe(operation, relative);
  return join(root.path, real);
}
