import { statSync } from 'node:fs';
import type { KnownTops } from '../../../src/boundary/step/context.ts';
import type { TempTree } from '../../../src/testing/temp-tree.ts';

/** Directories of a tree as roots that a path must not leave. */
export function topsAt(tree: TempTree, roots: readonly string[]): KnownTops {
  return new Map(
    roots.map((root) => {
      const { dev, ino } = statSync(tree.at(root), { bigint: true });
      return [`${dev}:${ino}`, tree.at(root)];
    }),
  );
}
