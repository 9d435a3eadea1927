import { type Operation, operations } from '../../boundary/step/operation.ts';
import type { NameRules } from '../../path/fold.ts';
import { hostPlatform } from '../../path/platform.ts';
import type { PolicyLocation } from '../decide.ts';
import type { Decision } from '../decision.ts';
import type { FindDenial } from './deny-index.ts';
import { keyOf } from './deny-rule.ts';
import { stricter } from './narrow.ts';
import type { Permissions, PerOperation } from './permissions.ts';
import { parsePolicy, type Policy } from './policy.ts';
import type { RootPermissions } from './root-permissions.ts';

/** What somebody permits at a place, and in everything beneath it. */
export interface PlacePermissions extends PolicyLocation {
  readonly permissions: RootPermissions;
}

/**
 * A policy that permits at some places no more than others say about them. A place may be a part of a root; of
 * two that hold a path both must permit, because the way to the inner one leads through the outer one.
 *
 * @example
 * ```ts
 * const policy = parsePolicy({ preset: 'write-in-project' });
 * const permissions = { allow: ['read'], ask: [], deny: [] };
 * const narrow = narrowPlaces(policy, [{ root: 'srv', relative: 'app', permissions }]);
 * const write = (relative) => decide(narrow, { operation: 'write', path: relative }, { root: 'srv', relative });
 * write('app/a.txt').verdict // → 'deny'
 * write('other/a.txt').verdict // → 'allow'
 * ```
 */
export function narrowPlaces(
  policy: Policy,
  places: readonly PlacePermissions[],
  rules: NameRules = { platform: hostPlatform },
): Policy {
  const byRoot = new Map<string, PlacePermissions[]>();
  for (const place of places) {
    const others = byRoot.get(place.root);
    if (others === undefined) byRoot.set(place.root, [place]);
    else others.push(place);
  }
  const narrowed = [...byRoot].map(
    ([name, said]) => [name, narrow(policy.roots.get(name) ?? policy.general, said, rules)] as const,
  );
  return { ...policy, roots: new Map([...policy.roots, ...narrowed]) };
}

interface Inner {
  /** As it is compared. */
  readonly key: string;
  readonly depth: number;
  readonly theirs: Permissions;
}

function narrow(ours: Permissions, said: readonly PlacePermissions[], rules: NameRules): Permissions {
  let all = ours;
  const inner: Inner[] = [];
  for (const { relative, permissions } of said) {
    const { allow, ask, deny } = permissions;
    const theirs = parsePolicy({ allow, ask, deny, secrets: false }, rules).general;
    if (isWhole(relative)) all = stricter(all, theirs);
    else inner.push({ key: keyOf(rules)(relative), depth: relative.split('/').length, theirs });
  }
  return inner.length === 0 ? all : within(all, inner, rules);
}

function isWhole(relative: string): boolean {
  return relative === '.' || relative === '';
}

/** Whatever a place does not permit is denied on every way through it. */
function within(ours: Permissions, inner: readonly Inner[], rules: NameRules): Permissions {
  const toKey = keyOf(rules);
  const denials = operations.map((operation): [string, FindDenial] => {
    const own = ours.denials[operation];
    const find = (path: string): Decision | undefined => {
      const step = { path, key: toKey(path), operation, ours: ours.verdicts[operation] };
      const said = inner.map((place) => denialIn(place, step)).filter((decision) => decision !== undefined);
      return said.find(({ verdict }) => verdict === 'deny') ?? said[0];
    };
    return [operation, (path) => own(path) ?? find(path)];
  });
  return { ...ours, denials: Object.fromEntries(denials) as PerOperation<FindDenial> };
}

interface Step {
  readonly path: string;
  readonly key: string;
  readonly operation: Operation;
  readonly ours: Decision;
}

function denialIn({ key: holder, theirs, depth }: Inner, step: Step): Decision | undefined {
  const { path, key, operation, ours } = step;
  if (key !== holder && !key.startsWith(`${holder}/`)) return undefined;
  const verdict = theirs.verdicts[operation];
  if (verdict.verdict === 'deny') return verdict;
  const denial = theirs.denials[operation](path.split('/').slice(depth).join('/'));
  // A question of theirs must not stand in for a no of ours.
  const asks = verdict.verdict === 'ask' && ours.verdict === 'allow';
  return denial ?? (asks ? verdict : undefined);
}
