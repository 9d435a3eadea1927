import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import type { TempTree } from '../../../src/testing/temp-tree.ts';
import type { BoundaryOperation, Places } from './boundary-operation.ts';

/** What a program without a boundary makes of a path that it was given. */
export function joined(root: string, path: string): string {
  return isAbsolute(path) ? path : `${root}/${path}`;
}

export interface PlainAttempt {
  readonly operation: BoundaryOperation;
  readonly tree: TempTree;
  readonly path: string;
}

/** Does it with `node:fs`. Within the tree of the test only: the attacks in these tables are real. */
export async function runPlain({ operation, tree, path }: PlainAttempt): Promise<unknown> {
  const places = placesIn(tree);
  const target = joined(places.root, path);
  if (endsWithin(tree, target)) return operation.plain(target, places);
  throw new Error(`${target} leads out of the tree, which is no place for an experiment`);
}

/** Whether nothing but the tree of the test is at stake, even without a boundary. */
export function endsWithin(tree: TempTree, path: string): boolean {
  return `${endOf(path)}/`.startsWith(`${tree.path}/`);
}

export function placesIn(tree: TempTree): Places {
  return { root: tree.at('ROOT'), other: tree.at('OTHER') };
}

/** The real path of what a path leads to, or of the last directory on the way that exists. */
function endOf(path: string): string {
  let next = path;
  // A loop of links ends nowhere: more turns than the system follows links are enough.
  for (let turn = 0; turn < 100; turn += 1) {
    const real = attempt(() => realpathSync.native(next));
    if (real !== undefined) return real;
    const parent = dirname(next);
    const text = attempt(() => readlinkSync(next));
    next = text === undefined ? parent : joined(endOf(parent), text);
  }
  return endOf(dirname(path));
}

function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
