import type { Comment, Directive, Statement } from 'oxc-parser';
import { lineAt, parseSource } from '../architecture/parse-source.ts';
import type { Example } from './find-examples.ts';

export type Step =
  | { readonly kind: 'context'; readonly code: string }
  | { readonly kind: 'value'; readonly line: number; readonly code: string; readonly expected: string }
  | { readonly kind: 'throws'; readonly line: number; readonly code: string; readonly expected: string };

/** An example as its statements, in order. What claims a result must be one expression on its line. */
export function parseExample({ file, code, line }: Example): Step[] {
  const { program, comments } = parseSource(`${file}:${line}.ts`, code);
  const claims = comments.filter(isClaim);
  if (program.body.length === 0) throw malformed(`${file}:${line}`, 'it has no code');
  for (const claim of claims) {
    if (program.body.some((node) => isClaimed(code, node, claim))) continue;
    throw malformed(
      `${file}:${line - 1 + lineAt(code, claim.start)}`,
      'the claim does not follow an expression',
    );
  }
  return program.body
    .filter(({ type }) => type !== 'ImportDeclaration')
    .map((node) => {
      const claim = claims.find((comment) => isClaimed(code, node, comment));
      const at = line - 1 + lineAt(code, node.end);
      if (claim === undefined) return { kind: 'context', code: code.slice(node.start, node.end) };
      return readClaim(claim, { at: `${file}:${at}`, line: at, code: expressionOf(code, node) });
    });
}

function malformed(place: string, state: string): Error {
  return new Error(`Cannot run the example at ${place}: ${state}`);
}

function isClaim({ type, value }: Comment): boolean {
  return type === 'Line' && /^\s*(?:→|throws\b)/.test(value);
}

function isClaimed(code: string, node: Directive | Statement, { start }: Comment): boolean {
  return (
    node.type === 'ExpressionStatement' && node.end <= start && /^[ \t]*$/.test(code.slice(node.end, start))
  );
}

function expressionOf(code: string, node: Directive | Statement): string {
  return node.type === 'ExpressionStatement' ? code.slice(node.expression.start, node.expression.end) : '';
}

interface Claimed {
  readonly at: string;
  readonly line: number;
  readonly code: string;
}

function readClaim({ value }: Comment, { at, line, code }: Claimed): Step {
  const [, thrown] = /^\s*throws ([A-Z]+(?:_[A-Z]+)*)\s*$/.exec(value) ?? [];
  if (thrown !== undefined) return { kind: 'throws', line, code, expected: thrown };
  const [, expected] = /^\s*→\s*(\S.*)$/.exec(value) ?? [];
  if (expected === undefined || !isExpression(expected)) {
    throw malformed(at, 'the claim is neither "→ value" nor "throws CODE"');
  }
  return { kind: 'value', line, code, expected };
}

/** One expression, and no sentence after it. */
function isExpression(text: string): boolean {
  const [statement, ...others] = parseSource('claim.ts', `(${text}\n)`).program.body;
  if (others.length > 0 || statement?.type !== 'ExpressionStatement') return false;
  const { expression } = statement;
  return expression.type === 'ParenthesizedExpression' && expression.expression.type !== 'SequenceExpression';
}
