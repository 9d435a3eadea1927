import type { Declaration, Directive, Statement } from 'oxc-parser';
import { lineAt, parseSource } from '../../architecture/parse-source.ts';

/** A JSDoc comment without its frame of asterisks. */
export interface DocComment {
  /** What it stands directly before, if that is a declaration at the top of the file. */
  readonly symbol: string | undefined;
  readonly lines: readonly string[];
  /** The line of the opening, counted from 1. */
  readonly line: number;
}

export function docComments(file: string, text: string): DocComment[] {
  const { comments, program } = parseSource(file, text);
  return comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ value, start, end }) => ({
      symbol: program.body.filter((node) => isNext(text, end, node)).flatMap(namesOf)[0],
      lines: value.split(/\r?\n/).map((line) => line.replace(/^\s*\*+ ?/, '')),
      line: lineAt(text, start),
    }));
}

function isNext(text: string, end: number, { start }: Directive | Statement): boolean {
  return start >= end && text.slice(end, start).trim() === '';
}

/** What a statement declares, exported or not. */
export function namesOf(node: Directive | Statement): string[] {
  const declared = declarationOf(node);
  if (declared.type === 'VariableDeclaration') {
    return declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  }
  return 'id' in declared && declared.id?.type === 'Identifier' ? [declared.id.name] : [];
}

export function declarationOf(node: Directive | Statement): Directive | Statement | Declaration {
  return node.type === 'ExportNamedDeclaration' && node.declaration !== null ? node.declaration : node;
}
