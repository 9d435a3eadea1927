import {
  type Comment,
  type Directive,
  type ExpressionStatement,
  parseSync,
  type Statement,
} from 'oxc-parser';
import { lineAt, parseSource } from '../../architecture/parse-source.ts';
import type { Example } from './find-examples.ts';

export type Step =
  | { readonly kind: 'context'; readonly code: string }
  | { readonly kind: 'value'; readonly line: number; readonly code: string; readonly expected: string }
  | { readonly kind: 'throws'; readonly line: number; readonly code: string; readonly expected: string };

/** An example as its statements, in order. What claims a result must be one expression that ends its line. */
export function parseExample(example: Example): Step[] {
  const { program, comments } = parseSource(`${example.file}.example.mts`, example.code);
  const claims = comments.filter(isClaim);
  if (program.body.length === 0) throw malformed(example, 0, 'it has no code');
  for (const claim of claims) {
    if (program.body.some((node) => isClaimed(example, node, claim))) continue;
    throw malformed(example, claim.start, 'the claim does not follow an expression on its line');
  }
  return program.body
    .filter(({ type }) => type !== 'ImportDeclaration')
    .map((node) => readStep(example, node, claims));
}

function malformed(example: Example, offset: number, state: string): Error {
  return new Error(`Cannot run the example at ${example.file}:${lineIn(example, offset)}: ${state}`);
}

/** The line in the file. */
function lineIn({ code, line }: Example, offset: number): number {
  return line - 1 + lineAt(code, offset);
}

function isClaim({ type, value }: Comment): boolean {
  return type === 'Line' && /^\s*(?:→|throws\b)/.test(value);
}

type Node = Directive | Statement;

function isClaimed({ code }: Example, node: Node, { start }: Comment): node is ExpressionStatement {
  if (node.type !== 'ExpressionStatement' || node.end > start) return false;
  return /^[ \t]*$/.test(code.slice(node.end, start));
}

function readStep(example: Example, node: Node, claims: readonly Comment[]): Step {
  for (const claim of claims) {
    if (isClaimed(example, node, claim)) return readClaim(example, node, claim);
  }
  return { kind: 'context', code: example.code.slice(node.start, node.end) };
}

function readClaim(example: Example, { expression }: ExpressionStatement, { value, start }: Comment): Step {
  const code = example.code.slice(expression.start, expression.end);
  const line = lineIn(example, start);
  const [, thrown] = /^\s*throws ([A-Z]+(?:_[A-Z]+)*)\s*$/.exec(value) ?? [];
  if (thrown !== undefined) return { kind: 'throws', line, code, expected: thrown };
  const [, expected] = /^\s*→\s*(\S.*)$/.exec(value) ?? [];
  if (expected !== undefined && isExpression(expected)) return { kind: 'value', line, code, expected };
  throw malformed(example, start, 'the claim is neither "→ value" nor "throws CODE"');
}

/** One expression, and no sentence after it. */
function isExpression(text: string): boolean {
  const [statement, ...others] = parseSync('claim.ts', `(${text}\n)`).program.body;
  if (others.length > 0 || statement?.type !== 'ExpressionStatement') return false;
  const { expression } = statement;
  return expression.type === 'ParenthesizedExpression' && expression.expression.type !== 'SequenceExpression';
}
