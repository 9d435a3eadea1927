import { type Operation, operations, type PerOperation } from '../../boundary/step/operation.ts';
import type { NameRules } from '../../path/fold.ts';
import { hostPlatform } from '../../path/platform.ts';
import type { PolicyLocation } from '../decide.ts';
import type { Decision } from '../decision.ts';
import type { FindDenial } from './deny-index.ts';
import { keyOf } from './deny-rule.ts';
import type { PolicyConfig } from './policy-config.ts';
import { parsePolicy, type CompiledPermissions, type Policy } from './policy.ts';
import type { RootPermissions } from './root-permissions.ts';

/**
 * Restricts a policy in the named roots to the given permissions: a denial of either side denies, and a
 * question of either side asks.
 *
 * @example
 * ```ts
 * const policy = parsePolicy({ allow: ['read', 'list', 'write'] });
 * const narrow = narrowPolicy(policy, new Map([['app', { allow: ['read'], ask: ['write'], deny: [] }]]));
 * narrow.roots.get('app').verdicts.write.verdict // → 'ask'
 * narrow.roots.get('app').verdicts.list.verdict // → 'deny'
 * narrow.general.verdicts.write.verdict // → 'allow'
 * ```
 */
export function narrowPolicy(
  policy: Policy,
  permissions: ReadonlyMap<string, RootPermissions>,
  rules: NameRules = { platform: hostPlatform },
): Policy {
  const narrowed = [...permissions].map(([name, { allow, ask, deny }]) => {
    const theirs = parsePolicy({ allow, ask, deny, secrets: false }, rules).general;
    return [name, stricter(policy.roots.get(name) ?? policy.general, theirs)] as const;
  });
  return { ...policy, roots: new Map([...policy.roots, ...narrowed]) };
}

/** Returns the permissions that both sides grant. */
export function stricter(ours: CompiledPermissions, theirs: CompiledPermissions): CompiledPermissions {
  const verdicts = operations.map((name) => [name, stricterOf(ours.verdicts[name], theirs.verdicts[name])]);
  const denials = operations.map((name) => [name, eitherOf(ours.denials[name], theirs.denials[name])]);
  return {
    verdicts: Object.fromEntries(verdicts) as PerOperation<Decision>,
    denials: Object.fromEntries(denials) as PerOperation<FindDenial>,
  };
}

const strictness: { readonly [Verdict in Decision['verdict']]: number } = { allow: 0, ask: 1, deny: 2 };

function stricterOf(ours: Decision, theirs: Decision): Decision {
  return strictness[theirs.verdict] > strictness[ours.verdict] ? theirs : ours;
}

function eitherOf(ours: FindDenial, theirs: FindDenial): FindDenial {
  return (path) => ours(path) ?? theirs(path);
}

/** Permissions for a place and everything beneath it. */
export interface PlacePermissions extends PolicyLocation {
  readonly permissions: RootPermissions;
}

/**
 * Restricts a policy at the given places. A place may be a part of a root. If two places hold a path, both
 * must permit, because the way to the inner one leads through the outer one.
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
    ([name, inRoot]) => [name, narrow(policy.roots.get(name) ?? policy.general, inRoot, rules)] as const,
  );
  return { ...policy, roots: new Map([...policy.roots, ...narrowed]) };
}

interface InnerRoot {
  /** In the form in which paths are compared. */
  readonly key: string;
  readonly depth: number;
  readonly theirs: CompiledPermissions;
}

function narrow(
  ours: CompiledPermissions,
  places: readonly PlacePermissions[],
  rules: NameRules,
): CompiledPermissions {
  let all = ours;
  const inner: InnerRoot[] = [];
  for (const { relative, permissions } of places) {
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

/** Denies operations that a place does not permit, on every path through it. */
function within(
  ours: CompiledPermissions,
  inner: readonly InnerRoot[],
  rules: NameRules,
): CompiledPermissions {
  const toKey = keyOf(rules);
  const denials = operations.map((operation): [string, FindDenial] => {
    const own = ours.denials[operation];
    const find = (path: string): Decision | undefined => {
      const step = { path, key: toKey(path), operation, ours: ours.verdicts[operation] };
      const found = inner.map((place) => denialIn(place, step)).filter((denial) => denial !== undefined);
      return found.find(({ verdict }) => verdict === 'deny') ?? found[0];
    };
    return [operation, (path) => own(path) ?? find(path)];
  });
  return { ...ours, denials: Object.fromEntries(denials) as PerOperation<FindDenial> };
}

interface NarrowedStep {
  readonly path: string;
  readonly key: string;
  readonly operation: Operation;
  readonly ours: Decision;
}

function denialIn({ key: holder, theirs, depth }: InnerRoot, step: NarrowedStep): Decision | undefined {
  const { path, key, operation, ours } = step;
  if (key !== holder && !key.startsWith(`${holder}/`)) return undefined;
  const verdict = theirs.verdicts[operation];
  if (verdict.verdict === 'deny') return verdict;
  const denial = theirs.denials[operation](path.split('/').slice(depth).join('/'));
  // Their question must not replace our denial.
  const asks = verdict.verdict === 'ask' && ours.verdict === 'allow';
  return denial ?? (asks ? verdict : undefined);
}

/** The policy given to the command by flags or file, apart from the store. */
export interface CommandPolicy {
  readonly policy: PolicyConfig;
  /** Whether this policy also limits stored roots, because it was set explicitly by a flag or in a file. */
  readonly limited: boolean;
}

/**
 * Creates the policy of a server that follows a store: the store's permissions in stored roots, the command's
 * elsewhere. Denials of the command apply everywhere.
 */
export function createStorePolicy(
  { policy, limited }: CommandPolicy,
  stored: ReadonlyMap<string, RootPermissions>,
): Policy {
  const base = parsePolicy(policy);
  const most = limited ? base : parsePolicy({ ...policy, allow: operations });
  const { roots } = narrowPolicy(most, stored);
  const named = [...roots].filter(([name]) => stored.has(name));
  return { general: base.general, roots: new Map([...base.roots, ...named]) };
}
