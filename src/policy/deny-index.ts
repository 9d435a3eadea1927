import type { NameRules } from '../path/fold.ts';
import type { Decision } from './decision.ts';
import { type CompiledDenyRule, keyOf } from './deny-rule.ts';

/** The rule that denies one step, if any. It says nothing of the steps before it: ask about them first. */
export type FindDenial = (path: string) => Decision | undefined;

/**
 * Arranges rules so that a step meets few of them: this runs for every name that is looked at on the way to
 * every file. Most rules end in one certain name or extension, and a table finds those.
 */
export function createDenyIndex(denyRules: readonly CompiledDenyRule[], rules: NameRules): FindDenial {
  const key = keyOf(rules);
  const byEnding = groupByEnding(denyRules);
  const others = denyRules.filter(({ ending }) => ending === undefined);
  return (path) => {
    // No glob names the root itself, not even `**`: what denies that is the verdict.
    if (path === '.' || path === '') return undefined;
    const name = key(path.slice(path.lastIndexOf('/') + 1));
    const dot = name.lastIndexOf('.');
    const byName = byEnding.get(name);
    const byExtension = dot === -1 ? undefined : byEnding.get(`*${name.slice(dot)}`);
    const possible = others.filter(({ beginning = '' }) => name.startsWith(beginning));
    if (byName === undefined && byExtension === undefined && possible.length === 0) return undefined;
    const step = { path, loose: key(path) };
    for (const group of [byName, byExtension, possible]) {
      const rule = group?.find(({ matches }) => matches(step));
      if (rule !== undefined) return rule.decision;
    }
    return undefined;
  };
}

function groupByEnding(denyRules: readonly CompiledDenyRule[]): ReadonlyMap<string, CompiledDenyRule[]> {
  const groups = new Map<string, CompiledDenyRule[]>();
  for (const rule of denyRules) {
    if (rule.ending === undefined) continue;
    const group = groups.get(rule.ending);
    if (group === undefined) groups.set(rule.ending, [rule]);
    else group.push(rule);
  }
  return groups;
}
