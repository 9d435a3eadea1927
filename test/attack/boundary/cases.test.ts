import { isAbsolute } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RootwardError } from '../../../src/errors.ts';
import { locate } from '../../../src/path/locate.ts';
import { tempTree, type TempTree } from '../../../src/testing/temp-tree.ts';
import { type BoundaryCase, boundaryCases } from '../../support/boundary/boundary-cases.ts';
import { operationOf } from '../../support/boundary/case-operations.ts';
import { drivers, type TestedDriver } from '../../support/boundary/drivers.ts';
import { joined, placesIn } from '../../support/boundary/plain.ts';
import { age, snapshot } from '../../support/trees/snapshot.ts';

/** Only root can make device nodes. */
const isRoot = process.getuid?.() === 0;
const cases = boundaryCases('fs').filter(
  ({ layout = [] }) => isRoot || !layout.some((entry) => entry.endsWith('!')),
);

// The case file says that its verdicts were found on Linux.
describe.runIf(process.platform === 'linux').each(drivers)('with $name', ({ open }) => {
  test.each(cases)('$id $verdict $op: $why', async (entry) => {
    using tree = createTree(entry);
    const outside = snapshot(tree.path, { without: ['ROOT', 'OTHER'] });
    if (entry.verdict === 'deny') await expectDenied(entry, tree, open);
    else await expectAllowed(entry, tree, open);
    expect(snapshot(tree.path, { without: ['ROOT', 'OTHER'] })).toEqual(outside);
  });
});

async function expectDenied(entry: BoundaryCase, tree: TempTree, open: TestedDriver['open']): Promise<void> {
  const before = snapshot(tree.path);
  const error = await run(entry, tree, open).then(
    (result) => new Error(`it was allowed: ${String(result)}`),
    (failure: unknown) => failure,
  );
  if (!RootwardError.is(error)) throw error;
  const said = JSON.stringify(error).replaceAll(JSON.stringify(inputIn(entry, tree)), '');
  expect(said).not.toContain(tree.path);
  expect(snapshot(tree.path)).toEqual(before);
}

/** Beneath the root a boundary sees what plain `node:fs` sees, and changes what it would change. */
async function expectAllowed(entry: BoundaryCase, tree: TempTree, open: TestedDriver['open']): Promise<void> {
  const { effect, plain } = operationOf(entry.op);
  const before = snapshot(tree.at('ROOT'));
  const result = await run(entry, tree, open);
  if (effect === 'changes') expect(snapshot(tree.at('ROOT'))).not.toEqual(before);
  else expect(result).toEqual(await plain(joined(tree.at('ROOT'), inputIn(entry, tree)), placesIn(tree)));
}

async function run(entry: BoundaryCase, tree: TempTree, open: TestedDriver['open']): Promise<unknown> {
  const { root, other: second } = placesIn(tree);
  await using boundary = await open(root);
  await using other = await open(second);
  return await operationOf(entry.op).run(boundary, inputIn(entry, tree), other);
}

/** A boundary takes relative paths; which root an absolute one belongs to is for `locate` to say. */
function inputIn({ input }: BoundaryCase, tree: TempTree): string {
  const path = fill(input, tree);
  if (!isAbsolute(path)) return path;
  return locate([tree.at('ROOT')], path, { platform: 'posix' })?.relative ?? path;
}

function createTree({ layout = [] }: BoundaryCase): TempTree {
  const tree = tempTree(['ROOT/spare', 'OTHER/spare', 'OUT/secret = SECRET']);
  tree.add(...layout.map((entry) => `ROOT/${fill(entry, tree)}`));
  age(tree.path);
  return tree;
}

function fill(text: string, tree: TempTree): string {
  return text.replaceAll('$ROOT', tree.at('ROOT')).replaceAll('$OUT', tree.at('OUT'));
}
