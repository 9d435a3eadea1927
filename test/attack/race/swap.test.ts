import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../src/index.ts';
import { createNaively, readNaively } from '../../support/race/naive.ts';
import { allOperations, fileOperations, type RacedOperation } from '../../support/race/race-operations.ts';
import { patience, type RaceResult, runRace, type Tally } from '../../support/race/run-race.ts';
import { type Attack, marker, openScene, type Scene } from '../../support/race/scene.ts';
import { attackScale } from '../../support/race/seed.ts';
import { startSwapper, type SwapStep } from '../../support/race/swapper.ts';

interface RaceCase {
  readonly attack: Attack;
  readonly operations: Readonly<Record<string, RacedOperation>>;
  readonly refusal: ErrorCode;
}

/** A directory and a link take turns at one name. */
const exchange: readonly SwapStep[] = [
  ['rename', 'victim', 'parked-directory'],
  ['rename', 'parked-link', 'victim'],
  ['rename', 'victim', 'parked-link'],
  ['rename', 'parked-directory', 'victim'],
];

/** What is harmless and what is not take turns at one name, which is never free. */
const replace: readonly SwapStep[] = [
  ['link', 'bad', 'spare'],
  ['rename', 'spare', 'victim'],
  ['link', 'good', 'spare'],
  ['rename', 'spare', 'victim'],
];

const exchanged: Attack = {
  entries: ['mid/victim/deep/', 'mid/parked-link => $TREE/outside'],
  directory: 'mid',
  cycle: exchange,
  path: (name) => `mid/victim/deep/${name}`,
  target: 'mid/victim/deep',
};

const cases: Readonly<Record<string, RaceCase>> = {
  'a directory on the way is exchanged with an absolute link': {
    attack: exchanged,
    operations: allOperations,
    refusal: 'OUTSIDE_ROOTS',
  },
  'a directory on the way is exchanged with a relative link': {
    attack: { ...exchanged, entries: ['mid/victim/deep/', 'mid/parked-link => ../../../../outside'] },
    operations: allOperations,
    refusal: 'OUTSIDE_ROOTS',
  },
  'a link on the way is exchanged with another one': {
    attack: {
      entries: ['mid/safe/deep/', 'mid/victim => safe', 'mid/good => safe', 'mid/bad => ../../../../outside'],
      directory: 'mid',
      cycle: replace,
      path: (name) => `mid/victim/deep/${name}`,
      target: 'mid/safe/deep',
    },
    operations: allOperations,
    refusal: 'OUTSIDE_ROOTS',
  },
  'the file itself is exchanged with a link': {
    attack: {
      entries: ['mid/victim = inside', 'mid/good = inside', 'mid/bad => ../../../../outside/deep/file.txt'],
      directory: 'mid',
      cycle: replace,
      path: () => 'mid/victim',
      target: 'mid',
    },
    operations: fileOperations,
    refusal: 'OUTSIDE_ROOTS',
  },
  // Who goes up from where the directory has been moved to arrives above the root.
  'a deep directory is moved up while ".." leads back from it': {
    attack: {
      entries: ['a/b/c/d/e/f/'],
      directory: '.',
      cycle: [
        ['rename', 'a/b/c', 'c'],
        ['rename', 'c', 'a/b/c'],
      ],
      path: (name) => `a/b/c/d/e/f/../../../../../../${name}`,
      target: '.',
    },
    operations: allOperations,
    refusal: 'NOT_FOUND',
  },
};

/**
 * A second, shared by the cases, or longer, until a race has been seen to be alive; half a minute and more in
 * `npm run attack`.
 */
const milliseconds = (attackScale > 1 ? 5_000 : 1_000) / Object.keys(cases).length;

describe.runIf(process.platform === 'linux')('while another process exchanges names', () => {
  describe.each(Object.entries(cases))('so that %s', (_title, { attack, operations, refusal }) => {
    test('nothing outside is read or touched', { timeout: 60_000 }, async () => {
      await using scene = await openScene(attack);
      await using swapper = await startSwapper(scene.workplace, attack.cycle);
      const result = await runRace(scene, { operations, refusal, milliseconds, isEnough });
      const cycles = await swapper.stop();
      expect(result.escapes).toEqual([]);
      // Otherwise the race is dead, and to have no escape proves nothing.
      expect(lackOf(result, cycles)).toEqual([]);
    });

    test('a naive check reads the outside', { timeout: 60_000 }, async () => {
      const reads = ({ root, spell }: Scene): boolean =>
        readNaively(root, spell(attack.path('file.txt'))).includes(marker);
      expect(await raceNaively(attack, reads)).toBe('it escaped');
    });
  });

  test('a naive check creates a file outside', { timeout: 60_000 }, async () => {
    const creates = ({ root, spell, real }: Scene, turn: number): boolean => {
      createNaively(root, spell(exchanged.path(`naive-${turn}.txt`)));
      return !existsSync(real(`naive-${turn}.txt`));
    };
    expect(await raceNaively(exchanged, creates)).toBe('it escaped');
  });
});

/** Attempts that a race needs: of one operation, and with each outcome of all of them. */
const needed = attackScale > 1 ? { each: 50, all: 1_000 } : { each: 15, all: 250 };

function isEnough(tallies: readonly Tally[]): boolean {
  const outcomes = ['successes', 'refusals'] as const;
  return tallies.every(isAlive) && outcomes.every((outcome) => sum(tallies, outcome) > needed.all);
}

function isAlive({ attempts, successes, refusals }: Tally): boolean {
  return attempts >= needed.each && successes > 0 && refusals > 0;
}

function sum(tallies: readonly Tally[], field: 'successes' | 'refusals'): number {
  return tallies.reduce((total, tally) => total + tally[field], 0);
}

/** What a race would need to prove something. */
function lackOf({ tallies }: RaceResult, cycles: number): readonly string[] {
  const all = Object.values(tallies);
  return [
    ...(cycles > needed.all ? [] : [`the attacker made ${cycles} cycles only`]),
    ...(sum(all, 'successes') > needed.all ? [] : [`${sum(all, 'successes')} successes are too few`]),
    ...(sum(all, 'refusals') > needed.all ? [] : [`${sum(all, 'refusals')} refusals are too few`]),
    ...Object.entries(tallies)
      .filter(([, tally]) => !isAlive(tally))
      .map(([name, tally]) => `${name} was not raced: ${JSON.stringify(tally)}`),
  ];
}

/** Tries until something has escaped, or for long enough to be sure that nothing will. */
async function raceNaively(
  attack: Attack,
  escapes: (scene: Scene, turn: number) => boolean,
): Promise<string> {
  await using scene = await openScene(attack);
  await using swapper = await startSwapper(scene.workplace, attack.cycle);
  const end = performance.now() + patience;
  let turn = 0;
  for (; performance.now() < end; turn += 1) {
    try {
      if (escapes(scene, turn)) return 'it escaped';
    } catch {
      // Refused, or missing at the moment.
    }
  }
  return `the race is dead: no escape in ${turn} attempts, ${await swapper.stop()} cycles`;
}
