import type { Directive, ExportNamedDeclaration, ImportDeclaration, Statement } from 'oxc-parser';
import { parseSource } from './parse-source.ts';

/** Whether anything is left of a file once its types are gone. */
export function emitsCode(file: string, text: string): boolean {
  return parseSource(file, text).program.body.some(isCode);
}

const typesOnly: ReadonlySet<string> = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSDeclareFunction',
  'EmptyStatement',
]);

function isCode(node: Directive | Statement): boolean {
  if (node.type === 'ImportDeclaration') return !importsTypes(node);
  if (node.type === 'ExportNamedDeclaration') return exportsCode(node);
  if (node.type === 'ExportAllDeclaration') return node.exportKind !== 'type';
  return !typesOnly.has(node.type) && !('declare' in node && node.declare);
}

/** Whether an import brings types alone. */
export function importsTypes({ importKind, specifiers }: ImportDeclaration): boolean {
  if (importKind === 'type') return true;
  return specifiers.length > 0 && specifiers.every((it) => 'importKind' in it && it.importKind === 'type');
}

/** Whether an export brings more than types. */
export function exportsCode({ declaration, exportKind, specifiers }: ExportNamedDeclaration): boolean {
  if (declaration !== null) return isCode(declaration);
  return exportKind !== 'type' && specifiers.some((it) => it.exportKind !== 'type');
}
