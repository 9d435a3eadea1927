import { findImports, type ImportReference } from './find-imports.ts';
import { isTest, type SourceTree, type Violation } from './source-tree.ts';

const rule = 'support-has-a-home';
const support = 'test/support/';
const isCode = /\.[cm]?[jt]sx?$/;

/**
 * Code that serves tests lies in `test/support/` or `src/testing/`. Elsewhere `test/` holds tests and data, and the
 * tests of `src/` import from `src/` and `test/support/` alone. One exception: the rules in `test/architecture/` lie
 * beside the test that runs them, because they are its subject and no other test needs them.
 */
export function supportHasAHome(tree: SourceTree): Violation[] {
  return [...strayFiles(tree), ...findImports(tree).flatMap(judge)];
}

function strayFiles(tree: SourceTree): Violation[] {
  return [...tree.keys()].filter(isStray).map((file) => ({ file, rule, message: `move it to ${support}` }));
}

function isStray(file: string): boolean {
  if (!file.startsWith('test/') || !isCode.test(file) || isTest(file)) return false;
  return !file.startsWith(support) && !/^test\/architecture\/[^/]+$/.test(file);
}

function judge({ file, line, target, specifier }: ImportReference): Violation[] {
  const violation = (message: string): Violation[] => [{ file, rule, message: `line ${line}: ${message}` }];
  if (!isTest(file) && specifier === 'vitest') return violation(`move what needs vitest to ${support}`);
  if (target === undefined || target.startsWith('src/')) return [];
  if (!isTest(file)) return target.startsWith('test/') ? violation(`no source imports ${target}`) : [];
  return target.startsWith(support) || !isCode.test(target) ? [] : violation(`${target} is no support`);
}
