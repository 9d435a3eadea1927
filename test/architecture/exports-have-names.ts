import { parseSource, lineAt } from './parse-source.ts';
import { type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'exports-have-names';

/** Neither `export *` nor a default export, in whatever spelling. */
export function exportsHaveNames(tree: SourceTree): Violation[] {
  return [...sourceFiles(tree)].flatMap(([file, text]) =>
    parseSource(file, text)
      .module.staticExports.flatMap(({ entries }) => entries)
      .filter(({ exportName, importName }) => isDefault(exportName) || isStar(importName))
      .map(({ start }) => ({
        file,
        rule,
        message: `line ${lineAt(text, start)}: export by name, not by default and not with "*"`,
      })),
  );
}

interface Name {
  readonly kind: string;
  readonly name: string | null;
}

function isDefault({ kind, name }: Name): boolean {
  return kind === 'Default' || name === 'default';
}

function isStar({ kind }: Name): boolean {
  return kind === 'All' || kind === 'AllButDefault';
}
