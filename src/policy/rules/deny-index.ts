import { perOperation, type PerOperation } from '../../boundary/step/operation.ts';
import type { NameRules } from '../../path/fold.ts';
import type { Decision } from '../decision.ts';
import { type CompiledDenyRule, keyOf } from './deny-rule.ts';
import { withoutTails } from '../../path/loose-key.ts';

/**
 * Returns the decision that denies one step, if any. Covers only this step: check the steps before it first.
 */
export type FindDenial = (path: string) => Decision | undefined;

/**
 * Arranges rules so that a step is compared with few of them: this runs for every name on the way to every
 * file. Most rules end in a fixed name or extension and are found in a table.
 */
export function createDenyIndex(denyRules: readonly CompiledDenyRule[], rules: NameRules): FindDenial {
  const key = keyOf(rules);
  const byName = groupByEnding(denyRules, (ending) => (ending.startsWith('*') ? undefined : ending));
  const byExtension = groupByEnding(denyRules, (ending) =>
    ending.startsWith('*') ? ending.slice(1) : undefined,
  );
  const others = denyRules.filter(({ ending }) => ending === undefined);
  const beginnings = others.map(({ beginning = '' }) => beginning);
  const rulesFor = (text: string): readonly CompiledDenyRule[] => {
    const name = key(text);
    const dot = name.lastIndexOf('.');
    const extended = dot === -1 ? undefined : byExtension.get(name.slice(dot));
    const other = beginnings.some((beginning) => name.startsWith(beginning)) ? others : [];
    return [...(byName.get(name) ?? []), ...(extended ?? []), ...other];
  };
  const readingsOf = remember((name) => findReadings(name, rulesFor));
  const judge = (above: string, readings: readonly NameReading[]): Decision | undefined => {
    for (const { name, rules: asked } of readings) {
      const step = { path: above + name, loose: key(above + name) };
      const denial = asked.find(({ matches }) => matches(step));
      if (denial !== undefined) return denial.decision;
    }
    return undefined;
  };
  return (path) => {
    // No glob matches the root itself, not even `**`; only the verdict can deny it.
    if (path === '.' || path === '') return undefined;
    const start = startOfName(path);
    const readings = readingsOf(path.slice(start));
    if (readings.length === 0) return undefined;
    const above = path.slice(0, start);
    const short = withoutTails(above);
    return judge(above, readings) ?? (short === above ? undefined : judge(short, readings));
  };
}

/** The rules about secrets, for paths that begin above a root. */
export interface SecretRules {
  /** Every rule, for the names that lead to a root and for the root itself. */
  readonly along: PerOperation<FindDenial>;
  /** The rules that look at several names, which may begin above a root and end beneath it. */
  readonly across: PerOperation<FindDenial>;
}

export function compileSecretRules(
  rules: readonly (CompiledDenyRule & { readonly glob: string })[],
  names: NameRules,
): SecretRules {
  const indexOf = (of: readonly CompiledDenyRule[]): PerOperation<FindDenial> =>
    perOperation((operation) =>
      createDenyIndex(
        of.filter((rule) => rule.operations.includes(operation)),
        names,
      ),
    );
  return { along: indexOf(rules), across: indexOf(rules.filter(({ glob }) => glob.includes('/'))) };
}

/** Names are short: scanning backwards by hand is several times faster than `lastIndexOf`. */
function startOfName(path: string): number {
  let start = path.length;
  while (start > 0 && path[start - 1] !== '/') start -= 1;
  return start;
}

/** A name that the requested name may stand for, with the rules that could deny it. */
interface NameReading {
  readonly name: string;
  readonly rules: readonly CompiledDenyRule[];
}

/** The name itself, the name as a disk may shorten it, and the file that it is a copy of. */
function findReadings(
  name: string,
  rulesFor: (name: string) => readonly CompiledDenyRule[],
): readonly NameReading[] {
  const names = [...new Set([name, withoutTails(name)])];
  const originals = [...new Set(names.flatMap(originalsOf))];
  return [
    ...names.map((text) => ({ name: text, rules: rulesFor(text) })),
    ...originals.map((text) => ({ name: text, rules: rulesFor(text).filter((rule) => rule.copies) })),
  ].filter(({ rules }) => rules.length > 0);
}

/** How editors and people name copies. */
const copies: readonly RegExp[] = [
  /^(.+?)(?:\.~\d+)?~$/,
  /^#(.+)#$/,
  /^\.(.+)\.sw[a-p]$/i,
  /^(.+)\.(?:bak|backup|copy|old|orig|save|sw[a-p])$/i,
];

function originalsOf(name: string): readonly string[] {
  return copies.flatMap((copy) => copy.exec(name)?.[1] ?? []);
}

type ReadingsOf = (name: string) => readonly NameReading[];

/** Size of the cache. Most names of a tree occur in many of its directories. */
const mostNames = 4_096;

/** Caches readings, because nearly every name matches no rule and is met again. */
function remember(find: ReadingsOf): ReadingsOf {
  const known = new Map<string, readonly NameReading[]>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size === mostNames) known.clear();
    const readings = find(name);
    known.set(name, readings.length === 0 ? none : readings);
    return readings;
  };
}

const none: readonly NameReading[] = [];

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
