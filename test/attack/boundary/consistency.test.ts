import { afterAll, describe, expect, test } from 'vitest';
import { quote } from '../../../src/base/quote.ts';
import type { BoundaryOperation } from '../../support/boundary/boundary-operation.ts';
import { type HarmlessCase, harmlessCases } from '../../support/boundary/consistency-cases.ts';
import { blockingOperations, type Difference, differences } from '../../support/boundary/differences.ts';
import { drivers, type TestedDriver, triedColumns } from '../../support/boundary/drivers.ts';
import { createHarmlessTree, type HarmlessTree } from '../../support/boundary/harmless-tree.ts';
import { operations } from '../../support/boundary/operations.ts';
import { type Outcome, outcomeOf } from '../../support/boundary/outcome.ts';
import { placesIn, runPlain } from '../../support/boundary/plain.ts';
import { readingOperations } from '../../support/boundary/reading-operations.ts';
import { attackScale } from '../../support/race/seed.ts';
import type { Snapshot } from '../../support/trees/snapshot.ts';
import { keepTreesInMemory } from '../../support/boundary/trees-in-memory.ts';

keepTreesInMemory();

/** Every second diagonal: each path meets half of the operations, and each operation half of the paths. */
const fewest = attackScale > 1 ? 1 : 2;

const titled = harmlessCases.map((entry, row) => ({ entry, row, title: quote(entry.path) }));

// The errors that are compared are those of Linux.
describe.runIf(process.platform === 'linux')('like node:fs', () => {
  const met = new Set<Difference>();
  const left = { tests: 0 };

  describe.each(drivers)('with $name', (driver) => {
    describe.each(titled)('$title', ({ entry, row }) => {
      const stride = Math.max(driver.stride, fewest);
      const tried = triedColumns({ ...driver, stride }, row, operations);
      left.tests += tried.length;

      test.each(tried)('$name', async (operation) => {
        const plain = await plainlyOnce(entry, operation);
        const ours = await bounded(entry, operation, driver.open);
        const difference = differences.find((each) => explains(each, { entry, operation, ours, plain }));
        if (difference !== undefined && !isSame(ours, plain)) met.add(difference);
        else expect(ours).toEqual(plain);
        left.tests -= 1;
      });
    });
  });

  // A difference that no longer occurs is out of date; only a complete run can tell, as that of `npm run attack`.
  afterAll(() => {
    if (left.tests > 0 || fewest > 1) return;
    const tried = new Set(operations.map(({ name }) => name));
    const possible = differences.filter(
      ({ asUser = false, operations: names }) =>
        (!asUser || process.getuid?.() !== 0) && names.some((name) => tried.has(name)),
    );
    expect(possible.filter((each) => !met.has(each)).map(({ why }) => why)).toEqual([]);
  });
});

interface Ending extends Outcome {
  /** Everything in both directories afterwards. */
  readonly tree: Snapshot;
}

interface Comparison {
  readonly entry: HarmlessCase;
  readonly operation: BoundaryOperation;
  readonly ours: Ending;
  readonly plain: Ending;
}

function explains(difference: Difference, { entry, operation, ours, plain }: Comparison): boolean {
  const { operations: names, paths = [entry.path] } = difference;
  if (!names.includes(operation.name) || !paths.includes(entry.path)) return false;
  return difference.ours.includes(ours.end) && difference.plain.includes(plain.end);
}

function isSame(ours: Ending, plain: Ending): boolean {
  return JSON.stringify(ours) === JSON.stringify(plain);
}

async function bounded(
  entry: HarmlessCase,
  operation: BoundaryOperation,
  open: TestedDriver['open'],
): Promise<Ending> {
  await using harmless = await treeFor(entry, operation);
  const { root, other: second } = placesIn(harmless.tree);
  await using boundary = await open(root);
  await using other = await open(second);
  const outcome = await outcomeOf(() => operation.run(boundary, entry.path, other));
  return { ...outcome, tree: harmless.look() };
}

/** Trees of cases, for all that only read: what one of them changes all the same shows in the next comparison, too. */
const readTrees = new Map<HarmlessCase, Promise<HarmlessTree>>();

afterAll(async () => {
  for (const tree of readTrees.values()) await (await tree)[Symbol.asyncDispose]();
});

function treeFor(entry: HarmlessCase, operation: BoundaryOperation): Promise<HarmlessTree> {
  const changesNothing = operation.effect === 'reads' && readingOperations.includes(operation);
  // A look takes the lock away.
  if (!changesNothing || entry.locked !== undefined) return createHarmlessTree(entry);
  const shared = readTrees.get(entry) ?? createHarmlessTree(entry);
  readTrees.set(entry, shared);
  return shared.then((one) => ({
    tree: one.tree,
    look: () => one.look(),
    [Symbol.asyncDispose]: async () => {},
  }));
}

/** One for all drivers. */
const plainEndings = new Map<string, Promise<Ending>>();

function plainlyOnce(entry: HarmlessCase, operation: BoundaryOperation): Promise<Ending> {
  const key = `${operation.name} ${entry.path}`;
  const ending = plainEndings.get(key) ?? plainly(entry, operation);
  plainEndings.set(key, ending);
  return ending;
}

async function plainly(entry: HarmlessCase, operation: BoundaryOperation): Promise<Ending> {
  const { path } = entry;
  if (path.startsWith('pipe') && blockingOperations.includes(operation.name)) {
    return { end: 'blocks', tree: {} };
  }
  await using harmless = await treeFor(entry, operation);
  const outcome = await outcomeOf(() => runPlain({ operation, tree: harmless.tree, path }));
  return { ...outcome, tree: harmless.look() };
}
