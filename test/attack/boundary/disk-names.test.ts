import { expect, test } from 'vitest';
import { openWith } from '../../../src/boundary/open-boundary.ts';
import { tempTree } from '../../../src/testing/index.ts';
import { aliasDriver, readThrough } from '../../support/boundary/alias-driver.ts';
import {
  protectedFiles,
  readPlainly,
  secretFiles,
  secretsGuard,
  tryAttacks,
} from '../../support/boundary/attack-names.ts';
import { fillDisk } from '../../support/trees/mounts.ts';
import { spellingsOfName } from '../../support/trees/spellings.ts';
import { attackScale, attackSeed, createRandom } from '../../support/race/seed.ts';

/*
 * Spellings of spellings of secrets, at random, on a model of a disk that knows more names than it lists. What opens a
 * secret for the disk alone must not be reached through a boundary with the rules of the product.
 */

const rounds = 1_500 * attackScale;

test.runIf(process.platform === 'linux').each(['numbered', 'plain'] as const)(
  'no random spelling reaches a secret, where short names are %s',
  async (shortNames) => {
    const random = createRandom(attackSeed);
    const pick = <Value>(values: readonly Value[]): Value => {
      const value = values[Math.floor(random() * values.length)];
      if (value === undefined) throw new Error('nothing to pick from');
      return value;
    };
    const spell = (name: string): string => {
      const once = random() < 0.3 ? name : pick(spellingsOfName(name));
      return random() < 0.3 ? pick(spellingsOfName(once)) : once;
    };
    const driver = aliasDriver({ shortNames });
    const files = { ...secretFiles, ...protectedFiles, 'plain.txt': 'plain' };
    using tree = tempTree();
    fillDisk(tree.path, files);
    await using boundary = openWith(driver, tree.path, { name: 'disk', guard: secretsGuard });
    const passed: string[] = [];
    let opened = 0;
    for (let round = 0; round < rounds; round += 1) {
      const path = pick([...Object.keys(secretFiles), ...Object.keys(protectedFiles)]);
      const spelled = path.split('/').map(spell).join('/');
      if (readThrough(driver, tree.path, spelled) === undefined) continue;
      opened += 1;
      const kinds = path in secretFiles ? (['reading', 'changing'] as const) : (['changing'] as const);
      passed.push(...(await tryAttacks(boundary, spelled, kinds, round)));
    }
    expect(passed, `seed ${attackSeed}`).toEqual([]);
    expect(opened, `seed ${attackSeed}`).toBeGreaterThan(rounds / 20);
    for (const [path, text] of Object.entries(files))
      expect([path, readPlainly(tree.at(path))], `seed ${attackSeed}`).toEqual([path, text]);
  },
);
