import { posix } from 'node:path';
import { lineAt, parseSource } from './parse-source.ts';
import { type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'doors-only-re-export';

/** An `index.ts` holds nothing but `export { name } from './file.ts'`. */
export function doorsOnlyReExport(tree: SourceTree): Violation[] {
  return [...sourceFiles(tree)]
    .filter(([file]) => posix.basename(file) === 'index.ts')
    .flatMap(([file, text]) =>
      parseSource(file, text)
        .program.body.filter((node) => node.type !== 'ExportNamedDeclaration' || node.source === null)
        .map(({ start }) => ({
          file,
          rule,
          message: `line ${lineAt(text, start)}: only named re-exports belong here`,
        })),
    );
}
