import { findImports } from './find-imports.ts';
import { isTest, type SourceTree, type Violation } from './source-tree.ts';

const rule = 'programs-start-in-one-place';

/**
 * `node:child_process` is imported in `boundary/process/`, which confines programs, and in `cli/`, which starts the
 * editor and the browser of the person at the terminal. `testing/` is exempt: it starts the servers under test.
 */
export function programsStartInOnePlace(tree: SourceTree): Violation[] {
  return findImports(tree)
    .filter(({ file, specifier }) => !isExempt(file) && /^(?:node:)?child_process$/.test(specifier ?? ''))
    .map(({ file, line, specifier }) => ({
      file,
      rule,
      message: `line ${line}: ${specifier} is not for this folder, use boundary/process/`,
    }));
}

function isExempt(file: string): boolean {
  return isTest(file) || /^src\/(?:boundary\/process|cli|testing)\//.test(file);
}
