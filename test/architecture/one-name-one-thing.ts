import { posix } from 'node:path';
import { findExports } from './find-exports.ts';
import { isTest, type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'one-name-one-thing';

/** No two sources of `src/` export the same name, and no two have the same name themselves, but doors. */
export function oneNameOneThing(tree: SourceTree): Violation[] {
  const sources = [...sourceFiles(tree)].map(([file]) => file).filter((file) => !isTest(file));
  return [
    ...twice(findExports(tree).map(({ file, name }) => [name, file])),
    ...twice(sources.filter((file) => !isDoor(file)).map((file) => [`${posix.parse(file).name}.ts`, file])),
  ];
}

/** A value and a type of one name in one file are one thing. */
function twice(named: readonly (readonly [name: string, file: string])[]): Violation[] {
  const files = new Map<string, Set<string>>();
  for (const [name, file] of named) files.set(name, (files.get(name) ?? new Set()).add(file));
  return [...files].flatMap(([name, [file = '', ...others]]) =>
    others.length === 0 ? [] : [{ file, rule, message: `"${name}" is also in ${others.join(', ')}` }],
  );
}

function isDoor(file: string): boolean {
  return posix.basename(file) === 'index.ts';
}
