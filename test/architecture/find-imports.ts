import { type CallExpression, type Expression, Visitor } from 'oxc-parser';
import { exportsCode, importsTypes } from './emits-code.ts';
import { lineAt, parseSource } from './parse-source.ts';
import { resolveImport } from './resolve-import.ts';
import { type SourceTree, sourceFiles } from './source-tree.ts';

/** One place where a file names another module, in whatever form: types and re-exports count. */
export interface ImportReference {
  readonly file: string;
  readonly line: number;
  /** `undefined` if it is computed at run time. */
  readonly specifier: string | undefined;
  /** The file of the repository that it leads to. */
  readonly target: string | undefined;
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean;
  /** It is loaded when it is needed, by `import()`. */
  readonly lazy: boolean;
}

const found = new WeakMap<SourceTree, readonly ImportReference[]>();

/** Every import in the code of a tree. A tree is read once, however many rules ask. */
export function findImports(tree: SourceTree): readonly ImportReference[] {
  const references = found.get(tree) ?? [...sourceFiles(tree)].flatMap((entry) => importsOf(tree, entry));
  found.set(tree, references);
  return references;
}

function importsOf(tree: SourceTree, [file, text]: readonly [string, string]): ImportReference[] {
  return findSpecifiers(file, text).map(({ specifier, start, typeOnly, lazy }) => ({
    file,
    line: lineAt(text, start),
    specifier,
    target: specifier === undefined ? undefined : resolveImport(tree, file, specifier),
    typeOnly,
    lazy,
  }));
}

interface Specifier extends Pick<ImportReference, 'specifier' | 'typeOnly' | 'lazy'> {
  readonly start: number;
}

function findSpecifiers(file: string, text: string): Specifier[] {
  const found: Specifier[] = [];
  const add = (source: Expression, kind: Partial<Specifier> = {}): void => {
    const { start } = source;
    found.push({ specifier: literalText(source), start, typeOnly: false, lazy: false, ...kind });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source, { typeOnly: importsTypes(node) }),
    ExportNamedDeclaration: (node) =>
      node.source !== null && add(node.source, { typeOnly: !exportsCode(node) }),
    ExportAllDeclaration: ({ source, exportKind }) => add(source, { typeOnly: exportKind === 'type' }),
    ImportExpression: ({ source }) => add(source, { lazy: true }),
    TSImportType: ({ source }) => add(source, { typeOnly: true }),
    TSExternalModuleReference: ({ expression }) => add(expression),
    CallExpression: (call) => {
      const [source] = call.arguments;
      if (loadsModule(call) && source !== undefined && source.type !== 'SpreadElement') add(source);
    },
  }).visit(parseSource(file, text).program);
  return found;
}

/** `require('x')` and `process.getBuiltinModule('x')`. */
function loadsModule({ callee }: CallExpression): boolean {
  if (callee.type === 'Identifier') return callee.name === 'require';
  return (
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'getBuiltinModule'
  );
}

function literalText(node: Expression): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}
