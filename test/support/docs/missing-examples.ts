import type { Directive, ExportNamedDeclaration, Statement } from 'oxc-parser';
import { parseSource } from '../../architecture/parse-source.ts';
import { resolveImport } from '../../architecture/resolve-import.ts';
import type { SourceTree, Violation } from '../../architecture/source-tree.ts';
import { declarationOf, docComments, namesOf } from './doc-comments.ts';
import { examplesIn } from './find-examples.ts';

const rule = 'public-symbols-have-examples';

/** Functions and classes that the package exports and that show no `@example`. */
export function missingExamples(tree: SourceTree, door = 'src/index.ts'): Violation[] {
  return parseSource(door, tree.get(door) ?? '').program.body.flatMap((node) =>
    node.type === 'ExportNamedDeclaration' ? judgeExports(tree, door, node) : [],
  );
}

function judgeExports(tree: SourceTree, door: string, node: ExportNamedDeclaration): Violation[] {
  const file = node.source === null ? undefined : resolveImport(tree, door, node.source.value);
  if (file === undefined || node.exportKind === 'type') return [];
  return node.specifiers
    .filter(({ exportKind }) => exportKind !== 'type')
    .map(({ local }) => ('name' in local ? local.name : local.value))
    .flatMap((symbol) => judgeSymbol(file, tree.get(file), symbol));
}

function judgeSymbol(file: string, text: string | undefined, symbol: string): Violation[] {
  const declared = parseSource(file, text ?? '').program.body.filter((node) =>
    namesOf(node).includes(symbol),
  );
  if (declared.length === 0) return [{ file, rule, message: `"${symbol}" is not declared here` }];
  if (!declared.some(isFunctionOrClass) || hasExample(file, text ?? '', symbol)) return [];
  return [{ file, rule, message: `"${symbol}" has no @example` }];
}

function hasExample(file: string, text: string, symbol: string): boolean {
  return docComments(file, text).some(
    (comment) => comment.symbol === symbol && examplesIn(comment).length > 0,
  );
}

function isFunctionOrClass(node: Directive | Statement): boolean {
  const declared = declarationOf(node);
  if (declared.type !== 'VariableDeclaration') return /^(?:Function|Class)Declaration$/.test(declared.type);
  return declared.declarations.some(({ init }) =>
    ['ArrowFunctionExpression', 'FunctionExpression', 'ClassExpression'].includes(init?.type ?? ''),
  );
}
