import { inspect, isDeepStrictEqual } from 'node:util';
import { RootwardError } from '../../../src/errors.ts';
import type { Example } from './find-examples.ts';
import { parseExample, type Step } from './parse-example.ts';

/** Runs an example with these names in scope, and says which of its claims are wrong. */
export async function runExample(
  example: Example,
  scope: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const steps = parseExample(example);
  const failures: string[] = [];
  const check = async (index: number, actual: Thunk, expected?: Thunk): Promise<void> => {
    const step = steps[index];
    if (step === undefined || step.kind === 'context') return;
    const outcome = step.kind === 'throws' ? await judgeError(step, actual) : await judge(actual, expected);
    if (outcome !== undefined) failures.push(`${example.file}:${step.line}: ${step.code} ${outcome}`);
  };
  const names = Object.keys(scope);
  const run = new AsyncFunction(...names, checkName, compile(steps));
  await run(...names.map((name) => scope[name]), check);
  return failures;
}

/** Values come in a box, so that a promise that was not awaited stays one. */
type Thunk = () => Promise<[unknown]>;

const checkName = '$check';

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...source: string[]
) => (...values: unknown[]) => Promise<void>;

/** A block of its own, so that an example may declare a name that is in scope. */
function compile(steps: readonly Step[]): string {
  return `'use strict'; {\n${steps.map(compileStep).join(';\n')}\n}`;
}

function compileStep(step: Step, index: number): string {
  if (step.kind === 'context') return step.code;
  const expected = step.kind === 'value' ? thunk(step.expected) : 'undefined';
  return `await ${checkName}(${index}, ${thunk(step.code)}, ${expected})`;
}

function thunk(code: string): string {
  return `async () => [(${code}\n)]`;
}

async function judge(actual: Thunk, expected: Thunk | undefined): Promise<string | undefined> {
  const [[value], wanted] = [await actual(), await expected?.()];
  return isDeepStrictEqual([value], wanted) ? undefined : `is ${inspect(value)}, not ${inspect(wanted?.[0])}`;
}

async function judgeError(
  { expected }: Step & { kind: 'throws' },
  actual: Thunk,
): Promise<string | undefined> {
  try {
    return `is ${inspect(await actual())} and does not throw ${expected}`;
  } catch (error) {
    if (!RootwardError.is(error)) return `throws ${inspect(error)}, not ${expected}`;
    return error.code === expected ? undefined : `throws ${error.code}, not ${expected}`;
  }
}
