import { posix } from 'node:path';
import { findImports, type ImportReference } from './find-imports.ts';
import { isTest, type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'a-file-earns-its-name';
const short = 40;

/** Folders whose files are the rows of a table, and file names that are doors or drivers. */
const rows = /^src\/(?:tools\/files|workspace\/(?:sources|ecosystems|profiles))\//;
const doors = /(?:^|\/)(?:index|main|[\w-]+-driver)\.tsx?$/;

/** A short file that one neighbour imports is a hop: it belongs into that neighbour. */
export function aFileEarnsItsName(tree: SourceTree): Violation[] {
  const imports = findImports(tree).filter(({ file }) => !isTest(file));
  return [...sourceFiles(tree)]
    .filter(([file, text]) => !isTest(file) && !rows.test(file) && !doors.test(file) && lines(text) <= short)
    .flatMap(([file]) => {
      const only = onlyNeighbour(file, imports);
      return only === undefined ? [] : [{ file, rule, message: `only ${only} imports it: merge the two` }];
    });
}

/** The one importer, if it is in the same folder. What a door names is public; what is imported lazily is apart. */
function onlyNeighbour(file: string, imports: readonly ImportReference[]): string | undefined {
  const importers = imports.filter(({ target }) => target === file);
  const [only] = new Set(importers.map((each) => each.file));
  if (only === undefined || doors.test(only)) return undefined;
  if (importers.some((each) => each.lazy || each.file !== only)) return undefined;
  return posix.dirname(only) === posix.dirname(file) ? only : undefined;
}

function lines(text: string): number {
  return text.trimEnd().split('\n').length;
}
