import type { Directive, ImportDeclaration, Statement } from 'oxc-parser';
import { parseSource } from './parse-source.ts';

/** Whether anything is left of a file once its types are gone. */
export function emitsCode(file: string, text: string): boolean {
  return parseSource(file, text).program.body.some(isCode);
}

function isCode(node: Directive | Statement): boolean {
  switch (node.type) {
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSDeclareFunction':
    case 'EmptyStatement':
      return false;
    case 'ImportDeclaration':
      return !importsTypes(node);
    case 'ExportAllDeclaration':
      return node.exportKind !== 'type';
    case 'ExportNamedDeclaration':
      if (node.declaration !== null) return isCode(node.declaration);
      return node.exportKind !== 'type' && node.specifiers.some(({ exportKind }) => exportKind !== 'type');
    default:
      return !('declare' in node && node.declare === true);
  }
}

function importsTypes({ importKind, specifiers }: ImportDeclaration): boolean {
  if (importKind === 'type') return true;
  return specifiers.length > 0 && specifiers.every((it) => 'importKind' in it && it.importKind === 'type');
}
