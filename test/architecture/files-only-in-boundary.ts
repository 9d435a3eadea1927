import { findImports } from './find-imports.ts';
import { isTest, type SourceTree, type Violation } from './source-tree.ts';

const rule = 'files-only-in-boundary';

/** `node:fs` is imported in `boundary/` alone, apart from tests and what tests are made of. */
export function filesOnlyInBoundary(tree: SourceTree): Violation[] {
  return findImports(tree)
    .filter(({ file, specifier }) => !isExempt(file) && mayBeFs(specifier))
    .map(({ file, line, specifier }) => ({
      file,
      rule,
      message: `line ${line}: ${specifier ?? 'a computed import'} is not for this room, use a Boundary`,
    }));
}

function isExempt(file: string): boolean {
  return isTest(file) || /^src\/(?:boundary|testing)\//.test(file);
}

/** A computed import may load anything. */
function mayBeFs(specifier: string | undefined): boolean {
  return specifier === undefined || /^(?:node:)?fs(?:\/promises)?$/.test(specifier);
}
