import type { NameRules } from '../path/fold.ts';
import type { Decision } from './decision.ts';
import { type CompiledDenyRule, keyOf } from './deny-rule.ts';

/** The rule that denies one step, if any. It says nothing of the steps before it: ask about them first. */
export type FindDenial = (path: string) => Decision | undefined;

/**
 * Arranges rules so that a step meets few of them: this runs for every name that is looked at on the way to
 * every file. Most rules end in one certain name, and a table finds those.
 */
export function createDenyIndex(denyRules: readonly CompiledDenyRule[], rules: NameRules): FindDenial {
  const key = keyOf(rules);
  const byName = groupByName(denyRules);
  const others = denyRules.filter(({ name }) => name === undefined);
  return (path) => {
    const loose = key(path);
    const step = { path, loose };
    const named = byName.get(loose.slice(loose.lastIndexOf('/') + 1)) ?? none;
    return (named.find(({ matches }) => matches(step)) ?? others.find(({ matches }) => matches(step)))
      ?.decision;
  };
}

const none: readonly CompiledDenyRule[] = [];

function groupByName(denyRules: readonly CompiledDenyRule[]): ReadonlyMap<string, CompiledDenyRule[]> {
  const groups = new Map<string, CompiledDenyRule[]>();
  for (const rule of denyRules) {
    if (rule.name === undefined) continue;
    const group = groups.get(rule.name);
    if (group === undefined) groups.set(rule.name, [rule]);
    else group.push(rule);
  }
  return groups;
}
