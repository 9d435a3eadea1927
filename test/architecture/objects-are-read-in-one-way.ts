import { type BinaryExpression, type Expression, type PrivateInExpression, Visitor } from 'oxc-parser';
import { lineAt, parseSource } from './parse-source.ts';
import { isTest, type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'objects-are-read-in-one-way';

/**
 * A value from outside is read by zod, or through `base/fields.ts` where a field or two are enough. No other file
 * asks for `typeof value === 'object'`: that is how a validator made by hand begins, and `null` passes it.
 */
export function objectsAreReadInOneWay(tree: SourceTree): Violation[] {
  return [...sourceFiles(tree)]
    .filter(([file]) => !isTest(file) && file !== 'src/base/fields.ts')
    .flatMap(([file, text]) =>
      findQuestions(file, text).map((start) => ({
        file,
        rule,
        message: `line ${lineAt(text, start)}: read it with zod, or ask base/fields.ts`,
      })),
    );
}

function findQuestions(file: string, text: string): number[] {
  const found: number[] = [];
  new Visitor({
    BinaryExpression: (node) => {
      if (asksForObject(node)) found.push(node.start);
    },
    SwitchStatement: ({ start, discriminant, cases }) => {
      if (isTypeof(discriminant) && cases.some(({ test }) => isWord(test))) found.push(start);
    },
  }).visit(parseSource(file, text).program);
  return found;
}

function asksForObject({ left, right }: BinaryExpression | PrivateInExpression): boolean {
  return (isTypeof(left) && isWord(right)) || (isWord(left) && isTypeof(right));
}

function isTypeof(node: Expression | { readonly type: string }): boolean {
  return node.type === 'UnaryExpression' && 'operator' in node && node.operator === 'typeof';
}

function isWord(node: Expression | { readonly type: string } | null): boolean {
  return node?.type === 'Literal' && 'value' in node && node.value === 'object';
}
