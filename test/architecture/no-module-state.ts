import type { Directive, Statement } from 'oxc-parser';
import { lineAt, parseSource } from './parse-source.ts';
import { isTest, type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'no-module-state';

/** No `let` or `var` at the top of a file: state lives in objects that the caller creates. */
export function noModuleState(tree: SourceTree): Violation[] {
  return [...sourceFiles(tree)]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, text]) =>
      parseSource(file, text)
        .program.body.filter(isMutable)
        .map(({ start }) => ({
          file,
          rule,
          message: `line ${lineAt(text, start)}: a variable at the top of the file is shared state`,
        })),
    );
}

function isMutable(node: Directive | Statement): boolean {
  const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  if (declared?.type !== 'VariableDeclaration' || declared.declare === true) return false;
  return declared.kind === 'let' || declared.kind === 'var';
}
