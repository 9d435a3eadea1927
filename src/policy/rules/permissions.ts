import type { Operation } from '../../boundary/step/operation.ts';
import type { NameRules } from '../../path/fold.ts';
import type { Decision } from '../decision.ts';
import { createDenyIndex, type FindDenial } from './deny-index.ts';
import type { CompiledDenyRule } from './deny-rule.ts';
import { defaultPreset, type PresetName, presets } from './permission-presets.ts';

/** What one root permits, ready to be asked. */
export interface Permissions {
  /** What holds wherever no rule denies. */
  readonly verdicts: PerOperation<Decision>;
  readonly denials: PerOperation<FindDenial>;
}

export type PerOperation<Value> = { readonly [Name in Operation]: Value };

/** What somebody chose; `undefined` where nothing was said. */
export interface Choice {
  readonly preset: PresetName | undefined;
  readonly allow: readonly Operation[] | undefined;
  readonly ask: readonly Operation[] | undefined;
}

/** Compiles the permissions of one root, or of all that have none of their own. */
export function createPermissions(
  choice: Choice,
  denyRules: readonly CompiledDenyRule[],
  rules: NameRules,
): Permissions {
  return {
    verdicts: perOperation((operation) => judge(operation, choice)),
    denials: perOperation((operation) =>
      createDenyIndex(
        denyRules.filter((rule) => rule.operations.includes(operation)),
        rules,
      ),
    ),
  };
}

export function saysSomething({ preset, allow, ask }: Choice): boolean {
  return (preset ?? allow ?? ask) !== undefined;
}

function perOperation<Value>(make: (operation: Operation) => Value): PerOperation<Value> {
  return {
    read: make('read'),
    list: make('list'),
    write: make('write'),
    remove: make('remove'),
    execute: make('execute'),
  };
}

function judge(operation: Operation, choice: Choice): Decision {
  const { allow = [], ask = [] } = choice;
  if (allow.includes(operation)) return decision('allow', `allow:${operation}`, `"${operation}" is allowed`);
  if (ask.includes(operation)) return decision('ask', `ask:${operation}`, `"${operation}" needs a yes`);
  const preset = saysSomething(choice) ? choice.preset : defaultPreset;
  if (preset !== undefined) return judgeByPreset(operation, preset);
  return decision('deny', `not-allowed:${operation}`, `the policy does not allow "${operation}"`);
}

function judgeByPreset(operation: Operation, name: PresetName): Decision {
  const { allow, ask } = presets[name];
  const rule = `preset:${name}`;
  if (allow.includes(operation)) return decision('allow', rule, `preset "${name}" allows "${operation}"`);
  if (ask.includes(operation))
    return decision('ask', rule, `preset "${name}" asks a person before "${operation}"`);
  return decision('deny', rule, `preset "${name}" does not allow "${operation}"`);
}

function decision(verdict: Decision['verdict'], rule: string, reason: string): Decision {
  return { verdict, rule, reason };
}
