import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../../src/testing/index.ts';
import { startSwapper, type SwapStep } from '../../support/race/swapper.ts';
import { bytesReadBy } from '../../support/processes/bytes-read.ts';
import { speak } from '../../support/processes/speak.ts';
import { attackScale, attackSeed, createRandom } from '../../support/race/seed.ts';

const marker = 'TOP-SECRET';

/** So large that a single look into it shows in the number of bytes read, and small enough to be searched. */
const secret = `${marker} ${'x'.repeat(8 * 1024 * 1024)}\n`;

/** At one name a file or directory and a link take turns; the link leads outside, or to a file that is denied. */
const attacks: Readonly<Record<string, readonly string[]>> = {
  'a file and a link that leads out': [
    'app/mid/victim = needle inside\n',
    'app/mid/parked-link => ../../outside/secret',
  ],
  'a file and a link to one that is denied': [
    'app/mid/victim = needle inside\n',
    'app/mid/parked-link => .env',
  ],
  'a directory and a link that leads out': [
    'app/mid/victim/deep = needle inside\n',
    'app/mid/parked-link => ../../outside',
  ],
};

const cycle: readonly SwapStep[] = [
  ['rename', 'victim', 'parked'],
  ['rename', 'parked-link', 'victim'],
  ['rename', 'victim', 'parked-link'],
  ['rename', 'parked', 'victim'],
];

const wishes = [{}, { output: 'files' }, { gitignore: false }, { context: 3 }, { path: 'mid' }];

describe.runIf(process.platform === 'linux')('while another process exchanges', () => {
  test.each(Object.keys(attacks))(
    '%s, a search opens neither',
    { timeout: 60_000 * attackScale },
    async (kind) => {
      using tree = tempTree(['outside/', 'app/mid/', ...(attacks[kind] ?? [])]);
      for (const path of ['outside/secret', 'outside/deep', 'app/mid/.env'])
        writeFileSync(tree.at(path), secret);
      const random = createRandom(attackSeed);
      await using server = await speak({ args: [tree.at('app')] });
      await server.call('search_text', { pattern: 'needle' });
      await using swapper = await startSwapper(tree.at('app/mid'), cycle);
      const pid = server.wire.pid ?? 0;
      const seen = { inside: 0, nothing: 0, leaks: [] as string[] };
      const end = performance.now() + 1_000 * attackScale;
      while (performance.now() < end || (seen.inside < 5 && performance.now() < end + 20_000)) {
        const wish = wishes[Math.floor(random() * wishes.length)];
        const pattern = random() < 0.5 ? `needle|${marker}` : `(?:needle|${marker}) .*`;
        const before = bytesReadBy(pid);
        const { text } = await server.call('search_text', { pattern, ...wish });
        // A file that is shown by its name alone, or not at all, was opened if its bytes were read.
        const read = bytesReadBy(pid) - before;
        if (text.includes(marker) || read > secret.length / 2)
          seen.leaks.push(`${read} bytes: ${text.slice(0, 200)}`);
        else if (text.includes('victim')) seen.inside += 1;
        else seen.nothing += 1;
      }
      await swapper.stop();
      expect({ seed: attackSeed, leaks: seen.leaks }).toEqual({ seed: attackSeed, leaks: [] });
      // Otherwise the race is dead, and to have no leak proves nothing.
      expect({ seed: attackSeed, ...seen, alive: seen.inside >= 5 }).toMatchObject({ alive: true });
    },
  );
});
