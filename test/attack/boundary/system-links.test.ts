import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import { drivers } from '../../support/boundary/drivers.ts';
import { operations } from '../../support/boundary/operations.ts';
import { placesIn } from '../../support/boundary/plain.ts';
import { refusalOf, refusedWith } from '../../support/boundary/refusal.ts';
import { systemLinks } from '../../support/boundary/system-links.ts';

const looking = operations.filter(({ effect, name }) => effect === 'reads' || name === 'watch');

describe.runIf(process.platform === 'linux').each(drivers)('with $name', ({ open }) => {
  describe.each(systemLinks)('a link to $target, as $path', ({ target, path = 'link' }) => {
    test('leads somewhere without a boundary', () => {
      using tree = tempTree([`ROOT/link => ${target}`]);
      expect(statSync(tree.at('ROOT', path))).toBeDefined();
    });

    test.each(looking)('leads nowhere for $name', async ({ run, link }) => {
      using tree = tempTree([`ROOT/link => ${target}`, 'OTHER/']);
      const { root, other: second } = placesIn(tree);
      await using boundary = await open(root);
      await using other = await open(second);
      const attempt = (): Promise<unknown> => run(boundary, path, other);
      if (path === 'link' && link.named === 'itself') expect(await attempt()).toMatch(/^link /);
      else {
        const refusal = await refusalOf(attempt, { path, secrets: [tree.path, '/etc', '/proc', '/dev'] });
        expect(refusal).toMatchObject(refusedWith('OUTSIDE_ROOTS'));
      }
    });
  });
});
