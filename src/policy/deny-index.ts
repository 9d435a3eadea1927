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
  const rulesFor = remember((text) => {
    const name = key(text);
    const dot = name.lastIndexOf('.');
    const extended = dot === -1 ? undefined : byExtension.get(name.slice(dot));
    const other = beginnings.some((beginning) => name.startsWith(beginning)) ? others : [];
    return [...(byName.get(name) ?? []), ...(extended ?? []), ...other];
  });
  return (path) => {
    // No glob names the root itself, not even `**`: what denies that is the verdict.
    if (path === '.' || path === '') return undefined;
    const candidates = rulesFor(path.slice(path.lastIndexOf('/') + 1));
    if (candidates.length === 0) return undefined;
    const step = { path, loose: key(path) };
    return candidates.find(({ matches }) => matches(step))?.decision;
  };
}

type RulesFor = (name: string) => readonly CompiledDenyRule[];

/** Names that are remembered: a tree has few that are not in many of its directories. */
const mostNames = 4_096;

/** Nearly every name meets no rule, and is met again. */
function remember(find: RulesFor): RulesFor {
  const known = new Map<string, readonly CompiledDenyRule[]>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size === mostNames) known.clear();
    const rules = find(name);
    known.set(name, rules.length === 0 ? none : rules);
    return rules;
  };
}

const none: readonly CompiledDenyRule[] = [];

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
