import { lstatSync, readlinkSync, rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Boundary } from '../../../src/boundary/boundary.ts';
import type { Attack } from './attack.ts';
import type { BoundaryOperation } from './boundary-operation.ts';
import type { TestedDriver } from './drivers.ts';
import { outcomeOf } from './outcome.ts';
import { joined, placesIn, runPlain } from './plain.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import { changesBetween, snapshot, type Snapshot } from '../trees/snapshot.ts';

/** Negative control: whether the path gets through to what it is after without a boundary. */
export async function tryPlainly(attack: Attack, operation: BoundaryOperation): Promise<boolean> {
  const { tree, path, reached } = attack;
  const before = lookAtPrey(attack);
  const seen = await outcomeOf(() => runPlain({ operation, tree, path }));
  if (operation.effect === 'changes') return changesBetween(before, lookAtPrey(attack)).length > 0;
  const direct = await outcomeOf(() => operation.plain(reached, placesIn(tree)));
  return seen.end === 'done' && isDeepStrictEqual(seen, direct);
}

/** What an attack is after: everything outside, or what its path comes back to. */
function lookAtPrey({ tree, reached }: Attack): Snapshot {
  if (reached.startsWith(tree.at('ROOT'))) return snapshot(reached);
  return snapshot(tree.path, { without: ['ROOT', 'OTHER'] });
}

export interface Refused extends Refusal {
  /** What is different anywhere in the tree afterwards. */
  readonly changes: readonly string[];
  /** What is said if there is nothing to be reached. */
  readonly wordsForNothing: string;
}

export async function tryRefused(
  attack: Attack,
  operation: BoundaryOperation,
  open: TestedDriver['open'],
): Promise<Refused> {
  const { tree, path, reached } = attack;
  const before = snapshot(tree.path);
  return withBoundaries(attack, open, async (boundary, other) => {
    const secrets = [tree.path, 'OUT/', 'SECRET', 'treasure'];
    const refuse = (): Promise<Refusal> =>
      refusalOf(() => operation.run(boundary, path, other), { path, secrets });
    const refusal = await refuse();
    const changes = changesBetween(before, snapshot(tree.path));
    if (!reached.endsWith('..')) rmSync(reached, { recursive: true, force: true });
    return { ...refusal, changes, wordsForNothing: (await refuse()).words };
  });
}

export interface ActedOnLink {
  /** What is different of what the link leads to. */
  readonly changes: readonly string[];
  /** Whether the link is where it should be then, or gone if it should. */
  readonly linkIsRight: boolean;
}

export async function tryOnLink(
  attack: Attack,
  operation: BoundaryOperation,
  open: TestedDriver['open'],
): Promise<ActedOnLink> {
  const places = placesIn(attack.tree);
  const link = joined(places.root, attack.path);
  const text = readlinkSync(link);
  const before = lookAtPrey(attack);
  await withBoundaries(attack, open, (boundary, other) => operation.run(boundary, attack.path, other));
  const afterwards = operation.linkAfterwards?.(places, attack.path);
  return {
    changes: changesBetween(before, lookAtPrey(attack)),
    linkIsRight: afterwards === undefined ? !isLink(link) : readlinkSync(afterwards) === text,
  };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

async function withBoundaries<Result>(
  { tree }: Attack,
  open: TestedDriver['open'],
  use: (boundary: Boundary, other: Boundary) => Promise<Result>,
): Promise<Result> {
  const places = placesIn(tree);
  await using boundary = await open(places.root);
  await using other = await open(places.other);
  return await use(boundary, other);
}
