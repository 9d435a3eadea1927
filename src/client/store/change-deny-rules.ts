import { type Operation, operations } from '../../boundary/step/operation.ts';
import { RootwardError } from '../../errors.ts';
import type { DenyConfig } from '../../policy/rules/policy-config.ts';

type Rule = string | DenyConfig;

export interface GlobChange {
  readonly globs: readonly string[];
  /** All of them unless said. */
  readonly operations: readonly Operation[] | undefined;
}

/** Denies what globs match. What is denied already is not said twice. */
export function denyGlobs(rules: readonly Rule[], change: GlobChange): readonly Rule[] {
  const { globs, operations: only = operations } = change;
  return globs.reduce((before, glob) => denyGlob(before, glob, only), rules);
}

/** Adds to the rule that has the glob already, unless that one gives a reason of its own. */
function denyGlob(rules: readonly Rule[], glob: string, only: readonly Operation[]): readonly Rule[] {
  if (only.every((operation) => isDenied(rules, glob, operation))) return rules;
  const plain = rules.filter((rule) => globOf(rule) === glob && reasonOf(rule) === undefined);
  const denied = operations.filter((name) => only.includes(name) || isDenied(plain, glob, name));
  const rule = denied.length === operations.length ? glob : { glob, operations: denied };
  const [first, ...others] = plain;
  if (first === undefined) return [...rules, rule];
  return rules.filter((other) => !others.includes(other)).map((other) => (other === first ? rule : other));
}

/**
 * Takes deny rules away, or what they deny of some operations.
 *
 * @param effective What holds at this place because of all places: a rule for all servers cannot be lifted for one.
 * @throws {RootwardError} `UNKNOWN_RULE`
 */
export function allowGlobs(
  rules: readonly Rule[],
  change: GlobChange,
  effective: readonly Rule[],
): readonly Rule[] {
  const { globs, operations: only = operations } = change;
  for (const glob of globs) requireDenied(rules, { glob, only, effective });
  return rules.flatMap((rule) => {
    if (!globs.includes(globOf(rule))) return [rule];
    const left = operationsOf(rule).filter((operation) => !only.includes(operation));
    const rest = typeof rule === 'string' ? { glob: rule } : rule;
    return left.length === 0 ? [] : [{ ...rest, operations: left }];
  });
}

interface Lifted {
  readonly glob: string;
  readonly only: readonly Operation[];
  readonly effective: readonly Rule[];
}

function requireDenied(rules: readonly Rule[], { glob, only, effective }: Lifted): void {
  if (only.some((operation) => isDenied(rules, glob, operation))) return;
  const isElsewhere = only.some((operation) => isDenied(effective, glob, operation));
  const reason = isElsewhere ? 'it is denied to all servers, not to this one alone' : 'no rule denies it';
  throw new RootwardError('UNKNOWN_RULE', { glob, reason, known: [...new Set(rules.map(globOf))] });
}

function isDenied(rules: readonly Rule[], glob: string, operation: Operation): boolean {
  return rules.some((rule) => globOf(rule) === glob && operationsOf(rule).includes(operation));
}

function globOf(rule: Rule): string {
  return typeof rule === 'string' ? rule : rule.glob;
}

function operationsOf(rule: Rule): readonly Operation[] {
  return typeof rule === 'string' ? operations : (rule.operations ?? operations);
}

function reasonOf(rule: Rule): string | undefined {
  return typeof rule === 'string' ? undefined : rule.reason;
}
