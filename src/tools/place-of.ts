import { join } from 'node:path';
import type { Location } from '../workspace/workspace.ts';

/** Where a location really is, as a person would write it: without links beneath the root. */
export async function placeOf({ boundary, relative, root }: Location): Promise<string> {
  if (boundary.kind === 'file') return root.path;
  const { relative: real } = await boundary.probe('list', relative);
  return join(root.path, real);
}
