import { isTest, type SourceTree, sourceFiles } from '../../architecture/source-tree.ts';
import { type DocComment, docComments } from './doc-comments.ts';
import { type CodeBlock, codeBlocks } from './markdown.ts';

export interface Example {
  /** File, line and, in code, the symbol that it explains. */
  readonly name: string;
  readonly file: string;
  readonly code: string;
  /** The line of its first line of code, counted from 1. */
  readonly line: number;
}

/** Every `@example` in the source, and every block of the documents that claims a result. */
export function findExamples(tree: SourceTree): Example[] {
  return [...sourceExamples(tree), ...documentExamples(tree)];
}

function sourceExamples(tree: SourceTree): Example[] {
  return [...sourceFiles(tree)]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, text]) =>
      docComments(file, text).flatMap((comment) =>
        examplesIn(comment).map(({ code, line }) => ({
          name: [`${file}:${line}`, comment.symbol].filter(Boolean).join(' '),
          file,
          code,
          line,
        })),
      ),
    );
}

/** The code of each `@example`: its fenced blocks, or its whole text if there are none. */
export function examplesIn({ lines, line }: DocComment): Omit<CodeBlock, 'language'>[] {
  return lines.flatMap((text, index) => {
    if (!text.startsWith('@example')) return [];
    const body = [text.slice('@example'.length), ...untilNextTag(lines.slice(index + 1))].join('\n');
    const blocks = codeBlocks(body).filter(({ language }) => isTypeScript(language));
    const found = blocks.length > 0 ? blocks : [{ code: body, line: 1 }];
    return found.map(({ code, line: offset }) => ({ code, line: line + index + offset - 1 }));
  });
}

function untilNextTag(lines: readonly string[]): readonly string[] {
  const next = lines.findIndex((text) => /^@[a-z]/i.test(text));
  return next === -1 ? lines : lines.slice(0, next);
}

function documentExamples(tree: SourceTree): Example[] {
  return (
    [...tree]
      // The examples of the reference are run where they are written, in the source.
      .filter(([file]) => /^(?:README\.md|docs\/(?!reference\/).*\.md)$/.test(file))
      .flatMap(([file, text]) =>
        codeBlocks(text)
          .filter(({ language, code }) => isTypeScript(language) && claims.test(code))
          .map(({ code, line }) => ({ name: `${file}:${line}`, file, code, line })),
      )
  );
}

const claims = /\/\/ (?:→|throws [A-Z_]+\b)/;

function isTypeScript(language: string): boolean {
  return language === 'ts' || language === 'typescript';
}
