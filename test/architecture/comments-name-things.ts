import { lineAt, parseSource } from './parse-source.ts';
import { isTest, type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'comments-name-things';

/** Subjects that do not exist, and sentences that begin with a question word without asking anything. */
const riddle = /\b(?:[Ww]hoever|[Nn]obody|[Ss]omebody|[Aa]nybody)\b|(?:^|[.!?] )(?:What|Who) (?![^.]*\?)/;

/** The subject of a comment is a thing that exists: the function, the client, the operator, the kernel. */
export function commentsNameThings(tree: SourceTree): Violation[] {
  return [...sourceFiles(tree)]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, text]) =>
      parseSource(file, text)
        .comments.filter(({ value }) => riddle.test(textIn(value)))
        .map(({ value, start }) => ({
          file,
          rule,
          message: `line ${lineAt(text, start)}: who or what does "${textIn(value)}" speak of?`,
        })),
    );
}

/** The text of a comment on one line, without its marks. */
function textIn(value: string): string {
  return value
    .replace(/^\*/, '')
    .replaceAll(/\s*\n\s*(?:\* ?)?/g, ' ')
    .trim();
}
