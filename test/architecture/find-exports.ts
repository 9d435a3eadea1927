import type { ExportNamedDeclaration } from 'oxc-parser';
import { parseSource } from './parse-source.ts';
import { isTest, type SourceTree, sourceFiles } from './source-tree.ts';

/** A name that a source gives to other files. */
export interface ExportedName {
  readonly file: string;
  readonly name: string;
  /** An interface, a type or a class. */
  readonly isType: boolean;
}

const found = new WeakMap<SourceTree, readonly ExportedName[]>();

/** Every name that a source of `src/` declares and exports: what it passes on from another file does not count. */
export function findExports(tree: SourceTree): readonly ExportedName[] {
  const names = found.get(tree) ?? [...sourceFiles(tree)].flatMap(([file, text]) => exportsOf(file, text));
  found.set(tree, names);
  return names;
}

function exportsOf(file: string, text: string): ExportedName[] {
  if (isTest(file)) return [];
  return parseSource(file, text).program.body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.source === null
      ? namesOf(statement).map((name) => ({ file, name, isType: declaresType(statement) }))
      : [],
  );
}

function namesOf({ declaration, specifiers }: ExportNamedDeclaration): string[] {
  const listed = specifiers.flatMap(({ exported }) =>
    exported.type === 'Identifier' ? [exported.name] : [],
  );
  if (declaration === null) return listed;
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : listed;
}

function declaresType({ declaration }: ExportNamedDeclaration): boolean {
  return ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration'].includes(
    declaration?.type ?? '',
  );
}
