import { perOperation } from '../../boundary/step/operation.ts';
import type { Decision } from '../decision.ts';
import type { FindDenial, SecretRules } from './deny-index.ts';
import type { CompiledPermissions, Policy } from './policy.ts';

/** A root whose position on the disk is judged. */
export interface PlacedRoot {
  /** Its unique name, by which the policy knows it. */
  readonly name: string;
  /** Its path as it was named, and as the disk has it. */
  readonly paths: readonly string[];
  /** The operator named it: it may be a secret place itself. */
  readonly named: boolean;
}

/**
 * Applies the rules about secrets to whole paths, not only to what lies beneath a root: a root `/x/.git/hooks` cannot
 * be written, and with a root `~/.docker` the file `config.json` stays secret. The position of a root that the
 * operator named is not held against it, but what lies in it is judged in the same way.
 *
 * @example
 * ```ts
 * const policy = parsePolicy({ preset: 'write-in-project' });
 * const judged = judgeSecretPaths(policy, [{ name: 'hooks', paths: ['/x/.git/hooks'], named: false }]);
 * const on = (operation) => decide(judged, { operation, path: 'a' }, { root: 'hooks', relative: 'a' });
 * on('write').rule // → 'deny:.git'
 * on('read').verdict // → 'allow'
 * ```
 */
export function judgeSecretPaths(policy: Policy, roots: readonly PlacedRoot[]): Policy {
  const { secrets } = policy;
  if (secrets === undefined || roots.length === 0) return policy;
  const judged = roots.map((root) => {
    const ours = policy.roots.get(root.name) ?? policy.general;
    return [root.name, withSecrets(ours, root, secrets)] as const;
  });
  return { ...policy, roots: new Map([...policy.roots, ...judged]) };
}

/** The rule that makes a place secret as a whole: it may not even be read. */
export function findSecretPlace(
  { secrets }: Pick<Policy, 'secrets'>,
  paths: readonly string[],
): Decision | undefined {
  return secrets && findAlong(secrets.along.read, paths);
}

function withSecrets(
  ours: CompiledPermissions,
  { paths, named }: PlacedRoot,
  { along, across }: SecretRules,
): CompiledPermissions {
  const above = paths.map((path) => `${stepsOf(path).at(-1) ?? ''}/`);
  const whole = perOperation((operation) => (named ? undefined : findAlong(along[operation], paths)));
  return {
    verdicts: perOperation((operation) => whole[operation] ?? ours.verdicts[operation]),
    denials: perOperation((operation) => {
      const denial = whole[operation];
      if (denial !== undefined) return () => denial;
      const own = ours.denials[operation];
      const find = across[operation];
      return (path) =>
        own(path) ?? (path === '.' ? undefined : firstOf(above, (prefix) => find(prefix + path)));
    }),
  };
}

function findAlong(find: FindDenial, paths: readonly string[]): Decision | undefined {
  return firstOf(paths, (path) => firstOf(stepsOf(path), find));
}

/** Every directory on the way, without the beginning of the path: `/x/y` has the steps `x` and `x/y`. */
function stepsOf(path: string): readonly string[] {
  const names = path.split(/[\\/]/).filter((name) => name !== '' && !/^[A-Za-z]:$/.test(name));
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
