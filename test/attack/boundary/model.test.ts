import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Boundary } from '../../../src/boundary/boundary.ts';
import { drivers } from '../../support/boundary/drivers.ts';
import { type Found, lookUp, type ModelNode } from '../../support/boundary/model.ts';
import { treeAndPaths } from '../../support/boundary/model-arbitraries.ts';
import { createModelTree, fill, secret } from '../../support/boundary/model-on-disk.ts';
import { operations } from '../../support/boundary/operations.ts';
import { type Outcome, outcomeOf } from '../../support/boundary/outcome.ts';
import { endsWithin, joined } from '../../support/boundary/plain.ts';
import { changesBetween, snapshot } from '../../support/trees/snapshot.ts';
import { attackScale } from '../../support/race/seed.ts';
import { keepTreesInMemory } from '../../support/boundary/trees-in-memory.ts';

keepTreesInMemory();

describe.runIf(process.platform !== 'win32').each(drivers)('with $name', ({ open }) => {
  test('random paths in random trees lead where the model says', async () => {
    const ends: string[] = [];
    await fc.assert(
      fc.asyncProperty(treeAndPaths, async ([model, texts]) => {
        using disk = createModelTree(model);
        await using boundary = await open(disk.at('ROOT'));
        for (const text of texts.map((each) => fill(each, disk))) {
          const found = lookUp(model, text);
          expect(await lookAll(boundary, text)).toEqual(expectedOf(found, lookUp(model, text, 'itself')));
          ends.push('node' in found ? found.node.kind : found.refused, readPlainly(disk.at('ROOT'), text));
        }
      }),
      { numRuns: attackScale > 1 ? 300 : 120 },
    );
    // Trees and paths that met nothing would prove nothing.
    expect(toBeMet.filter((end) => ends.filter((each) => each === end).length < 10)).toEqual([]);
  });

  test('no random operation in a random tree sees or changes what is outside', async () => {
    const chosen = fc.infiniteStream(fc.constantFrom(...operations));
    await fc.assert(
      fc.asyncProperty(treeAndPaths, chosen, async ([model, texts], stream) => {
        using disk = createModelTree(model);
        await using boundary = await open(disk.at('ROOT'));
        await using other = await open(disk.at('OTHER'));
        const before = snapshot(disk.path, { without: ['ROOT', 'OTHER'] });
        for (const text of texts.map((each) => fill(each, disk))) {
          const { run } = stream.next().value;
          // Should the boundary fail one day, no disk is to suffer.
          if (!endsWithin(disk, joined(disk.at('ROOT'), text))) continue;
          const outcome = await outcomeOf(() => run(boundary, text, other));
          expect(JSON.stringify(outcome)).not.toContain(secret);
        }
        expect(changesBetween(before, snapshot(disk.path, { without: ['ROOT', 'OTHER'] }))).toEqual([]);
      }),
      { numRuns: attackScale > 1 ? 100 * attackScale : 60 },
    );
  });
});

const toBeMet = [
  'file',
  'directory',
  'OUTSIDE_ROOTS',
  'NOT_FOUND',
  'NOT_A_DIRECTORY',
  'TOO_MANY_LINKS',
  // Negative control: what a program without a boundary reads.
  secret,
];

function readPlainly(root: string, text: string): string {
  try {
    return readFileSync(joined(root, text), 'utf8');
  } catch {
    return 'nothing';
  }
}

interface Seen {
  readonly stat: Outcome;
  readonly lstat: Outcome;
  readonly text: Outcome;
  readonly names: Outcome;
}

async function lookAll(boundary: Boundary, text: string): Promise<Seen> {
  return {
    stat: await outcomeOf(async () => (await boundary.stat(text)).kind),
    lstat: await outcomeOf(async () => (await boundary.lstat(text)).kind),
    text: await outcomeOf(() => boundary.readText(text)),
    names: await outcomeOf(async () => (await boundary.list(text)).entries.map(({ name }) => name)),
  };
}

function expectedOf(found: Found, itself: Found): Seen {
  return {
    stat: outcomeIn(found, ({ kind }) => ({ end: 'done', result: kind })),
    lstat: outcomeIn(itself, ({ kind }) => ({ end: 'done', result: kind })),
    text: outcomeIn(found, (node) =>
      node.kind === 'file' ? { end: 'done', result: node.content } : { end: 'IS_A_DIRECTORY' },
    ),
    names: outcomeIn(found, (node) =>
      node.kind === 'directory'
        ? { end: 'done', result: [...node.entries.keys()].toSorted() }
        : { end: 'NOT_A_DIRECTORY' },
    ),
  };
}

function outcomeIn(found: Found, read: (node: ModelNode) => Outcome): Outcome {
  return 'node' in found ? read(found.node) : { end: found.refused };
}
