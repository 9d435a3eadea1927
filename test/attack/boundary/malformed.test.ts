import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree, type TempTree } from '../../../src/testing/temp-tree.ts';
import { drivers } from '../../support/boundary/drivers.ts';
import { malformedCases, replaced } from '../../support/boundary/malformed-cases.ts';
import { operations } from '../../support/boundary/operations.ts';
import { joined } from '../../support/boundary/plain.ts';
import { refusalOf, refusedWith } from '../../support/boundary/refusal.ts';
import { age, changesBetween, snapshot } from '../../support/trees/snapshot.ts';
import { keepTreesInMemory } from '../../support/boundary/trees-in-memory.ts';

keepTreesInMemory();

describe.runIf(process.platform === 'linux')('without a boundary', () => {
  test.each(malformedCases)('$title has this effect', ({ path, plain }) => {
    using tree = createTree();
    const read = (): string => readFileSync(joined(tree.at('ROOT'), path), 'utf8');
    if ('reads' in plain) expect(read()).toBe(plain.reads);
    else expect(read).toThrow(expect.objectContaining({ code: plain.fails }));
  });
});

describe.each(drivers)('with $name', ({ open }) => {
  describe.each(malformedCases)('$title', ({ path }) => {
    test.each(operations)('is refused by $name', async (operation) => {
      using tree = createTree();
      await using boundary = await open(tree.at('ROOT'));
      await using other = await open(tree.at('OTHER'));
      const before = snapshot(tree.path);
      const refusal = await refusalOf(() => operation.run(boundary, path, other), {
        path,
        secrets: [tree.path],
      });
      expect(refusal).toMatchObject(refusedWith('INVALID_PATH'));
      expect(changesBetween(before, snapshot(tree.path))).toEqual([]);
    });
  });
});

function createTree(): TempTree {
  const tree = tempTree([
    'ROOT/secret',
    'ROOT/vault/',
    'ROOT/spare',
    `ROOT/${replaced} = not meant`,
    'OUT/secret',
    'OTHER/spare',
  ]);
  age(tree.path);
  return tree;
}
