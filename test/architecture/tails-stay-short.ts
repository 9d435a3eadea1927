import { type Function as FunctionNode, type ArrowFunctionExpression, Visitor } from 'oxc-parser';
import { lineAt, parseSource } from './parse-source.ts';
import { isTest, type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'tails-stay-short';

/** The most lines that nineteen in twenty may have. */
const bounds = { files: 250, functions: 30 } as const;

export type Measured = keyof typeof bounds;

/** How long things are, in lines. */
export interface Tail {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly longest: number;
  /** Where the longest one is. */
  readonly where: string;
  /** How long `p95` may be. */
  readonly bound: number;
}

/** Nineteen in twenty files and functions are short: the longest ones are what makes code heavy to read. */
export function tailsStayShort(tree: SourceTree): Violation[] {
  return Object.entries(measureTails(tree)).flatMap(([measured, { p95, bound, where }]) =>
    p95 > bound ? [{ file: where, rule, message: `${measured}: p95 is ${p95} lines, at most ${bound}` }] : [],
  );
}

export function measureTails(tree: SourceTree): Record<Measured, Tail> {
  const sources = [...sourceFiles(tree)].filter(([file]) => !isTest(file));
  const files = sources.map(([file, text]): Length => ({ lines: linesIn(text), where: file }));
  return {
    files: tailOf(files, bounds.files),
    functions: tailOf(sources.flatMap(functionsIn), bounds.functions),
  };
}

interface Length {
  readonly lines: number;
  readonly where: string;
}

function linesIn(text: string): number {
  return text.trimEnd().split('\n').length;
}

/** Functions with statements; one that is a single expression would only hide the others. */
function functionsIn([file, text]: readonly [file: string, text: string]): Length[] {
  const found: Length[] = [];
  const add = ({ body, start, end }: FunctionNode | ArrowFunctionExpression): void => {
    if (body?.type !== 'BlockStatement') return;
    found.push({ lines: linesIn(text.slice(start, end)), where: `${file}:${lineAt(text, start)}` });
  };
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(parseSource(file, text).program);
  return found;
}

function tailOf(lengths: readonly Length[], bound: number): Tail {
  const sorted = lengths.toSorted((a, b) => a.lines - b.lines);
  const at = (share: number): Length =>
    sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? { lines: 0, where: '' };
  const { lines: longest, where } = at(1);
  return { count: sorted.length, median: at(0.5).lines, p95: at(0.95).lines, longest, where, bound };
}
