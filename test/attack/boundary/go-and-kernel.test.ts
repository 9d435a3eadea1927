import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree, type TempTree } from '../../../src/testing/temp-tree.ts';
import { drivers } from '../../support/boundary/drivers.ts';
import { goCases } from '../../support/boundary/go-cases.ts';
import { kernelCases } from '../../support/boundary/kernel-cases.ts';
import { operations } from '../../support/boundary/operations.ts';
import { outcomeOf } from '../../support/boundary/outcome.ts';
import { joined, placesIn } from '../../support/boundary/plain.ts';
import type { ReachCase } from '../../support/boundary/reach-case.ts';
import { refusalOf, refusedWith } from '../../support/boundary/refusal.ts';
import { keepTreesInMemory } from '../../support/boundary/trees-in-memory.ts';

keepTreesInMemory();

/** Where the target is made by the test: as what. */
type Made = 'file' | 'directory' | undefined;

interface Row {
  readonly title: string;
  readonly row: ReachCase;
  readonly made: Made;
}

const looking = operations.filter(({ name }) => ['stat', 'readText', 'list'].includes(name));

const goRows: readonly Row[] = goCases.flatMap((row) => [
  { title: `Go: ${row.title}, to a file`, row, made: 'file' },
  { title: `Go: ${row.title}, to a directory`, row, made: 'directory' },
]);

const kernelRows: readonly Row[] = kernelCases.map((row) => ({
  title: `kernel: ${row.title}`,
  row,
  made: undefined,
}));

// The kernel's rows need `/proc` and `/etc/passwd`.
const rows = process.platform === 'linux' ? [...goRows, ...kernelRows] : goRows;

describe.runIf(process.platform !== 'win32').each(drivers)('with $name', ({ open }) => {
  describe.each(rows)('$title', ({ row, made }) => {
    const { path, target = '', refused } = row;

    test('leads there without a boundary, refused or not', () => {
      using tree = createTree(row, made);
      const found = identityAt(joined(tree.at('ROOT'), path));
      if (failsPlainly(row, made)) expect(found).toBeUndefined();
      else if (row.target === undefined) expect(found).toBeDefined();
      else expect(found).toBe(identityAt(tree.at('ROOT', target)));
    });

    test.each(looking)('$name has the result of the table', async ({ run, plain }) => {
      using tree = createTree(row, made);
      await using boundary = await open(tree.at('ROOT'));
      const look = (): Promise<unknown> => run(boundary, path, boundary);
      if (refused === undefined) {
        const direct = await outcomeOf(() => plain(tree.at('ROOT', target), placesIn(tree)));
        expect(await outcomeOf(look)).toEqual(direct);
      } else {
        const refusal = await refusalOf(look, { path, secrets: [tree.path, 'passwd', '/proc'] });
        expect(refusal).toMatchObject(refusedWith(refused));
      }
    });
  });
});

function createTree({ layout, target }: ReachCase, made: Made): TempTree {
  const tree = tempTree(['ROOT/']);
  tree.add(...layout.map((entry) => `ROOT/${entry.replaceAll('$ABS', tree.at('ROOT'))}`));
  if (target !== undefined && made !== undefined) makeTarget(tree.at('ROOT', target), made);
  return tree;
}

function makeTarget(path: string, kind: 'file' | 'directory'): void {
  if (kind === 'file') return writeFileSync(path, 'the target');
  mkdirSync(path);
  writeFileSync(`${path}/found`, '');
}

function identityAt(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** A file that is spelled with a slash fails everywhere, too. */
function failsPlainly({ alwaysFails = false, path, target }: ReachCase, made: Made): boolean {
  return alwaysFails || (target !== undefined && made === 'file' && path.endsWith('/'));
}
