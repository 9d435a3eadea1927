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
  const byName = groupByEnding(denyRules, (ending) => (ending.startsWith('*') ? undefined : ending));
  const byExtension = groupByEnding(denyRules, (ending) =>
    ending.startsWith('*') ? ending.slice(1) : undefined,
  );
  const others = denyRules.filter(({ ending }) => ending === undefined);
  const beginnings = others.map(({ beginning = '' }) => beginning);
  return (path) => {
    // No glob names the root itself, not even `**`: what denies that is the verdict.
    if (path === '.' || path === '') return undefined;
    const name = key(path.slice(path.lastIndexOf('/') + 1));
    const dot = name.lastIndexOf('.');
    const named = byName.get(name);
    const extended = dot === -1 ? undefined : byExtension.get(name.slice(dot));
    const other = beginnings.some((beginning) => name.startsWith(beginning)) ? others : undefined;
    if (named === undefined && extended === undefined && other === undefined) return undefined;
    const step = { path, loose: key(path) };
    for (const group of [named, extended, other]) {
      const rule = group?.find(({ matches }) => matches(step));
      if (rule !== undefined) return rule.decision;
    }
    return undefined;
  };
}

function groupByEnding(
  denyRules: readonly CompiledDenyRule[],
  choose: (ending: string) => string | undefined,
): ReadonlyMap<string, CompiledDenyRule[]> {
  const groups = new Map<string, CompiledDenyRule[]>();
  for (const rule of denyRules) {
    const ending = rule.ending === undefined ? undefined : choose(rule.ending);
    if (ending === undefined) continue;
    const group = groups.get(ending);
    if (group === undefined) groups.set(ending, [rule]);
    else group.push(rule);
  }
  return groups;
}
