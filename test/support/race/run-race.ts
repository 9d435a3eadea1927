import { type ErrorCode, RootwardError } from '../../../src/index.ts';
import type { RacedOperation } from './race-operations.ts';
import { attackScale, attackSeed, createRandom } from './seed.ts';
import { marker, type Scene } from './scene.ts';

/** What came of the attempts of one operation. */
export interface Tally {
  attempts: number;
  successes: number;
  /** Attempts that met the attack and were refused for it. */
  refusals: number;
  /** Everything else that the boundary answered, such as the moment when the name is missing. */
  readonly others: Record<string, number>;
}

export interface RaceResult {
  readonly tallies: Readonly<Record<string, Tally>>;
  readonly escapes: readonly string[];
}

export interface RaceOptions {
  readonly operations: Readonly<Record<string, RacedOperation>>;
  /** The code that says that the attack was met. */
  readonly refusal: ErrorCode;
  /** How long at least; `npm run attack` takes longer. */
  readonly milliseconds: number;
  /** When the race has been seen to be alive; until then it goes on, for `patience` at most. */
  readonly isEnough: (tallies: readonly Tally[]) => boolean;
}

/** On top of the time of the race, for a machine that is busy with something else. */
export const patience = 20_000;

/** Attempts that are under way at a time. */
const inFlight = 4;

/** Tries the operations at random, several at a time, while another process exchanges names. */
export async function runRace(scene: Scene, options: RaceOptions): Promise<RaceResult> {
  const race = new Race(scene, options);
  await Promise.all(Array.from({ length: inFlight }, () => race.run()));
  race.look();
  return race;
}

class Race implements RaceResult {
  readonly tallies: Record<string, Tally> = {};
  readonly escapes: string[] = [];
  readonly #scene: Scene;
  readonly #options: RaceOptions;
  readonly #before: string;
  readonly #start = performance.now();
  readonly #random = createRandom(attackSeed);
  #turn = 0;

  constructor(scene: Scene, options: RaceOptions) {
    this.#scene = scene;
    this.#options = options;
    this.#before = scene.snapshot();
    for (const name of Object.keys(options.operations))
      this.tallies[name] = { attempts: 0, successes: 0, refusals: 0, others: {} };
  }

  async run(): Promise<void> {
    const operations = Object.entries(this.#options.operations);
    while (!this.#isOver()) {
      const chosen = operations[Math.floor(this.#random() * operations.length)];
      if (chosen !== undefined) await this.#attempt(...chosen);
      if (this.#turn % 64 === 0) this.look();
    }
  }

  /** Looks whether the outside is as it was. */
  look(): void {
    const now = this.#scene.snapshot();
    if (now !== this.#before) this.escapes.push(`the outside changed:\n${this.#before}\n${now}`);
  }

  #isOver(): boolean {
    if (this.escapes.length > 0) return true;
    const elapsed = performance.now() - this.#start;
    const { isEnough } = this.#options;
    const milliseconds = this.#options.milliseconds * (attackScale > 1 ? 2 * attackScale : 1);
    if (elapsed < milliseconds) return false;
    return elapsed > milliseconds + patience || isEnough(Object.values(this.tallies));
  }

  async #attempt(name: string, operation: RacedOperation): Promise<void> {
    const tally = this.tallies[name];
    if (tally === undefined) return;
    tally.attempts += 1;
    this.#turn += 1;
    try {
      const seen = await operation(this.#scene, this.#turn);
      if (seen.includes(marker)) this.escapes.push(`${name} saw ${seen} (seed ${attackSeed})`);
      tally.successes += 1;
    } catch (error) {
      // What is none of ours is a fault of the boundary or of this test, and ends it.
      if (!RootwardError.is(error)) throw error;
      if (error.code === this.#options.refusal) tally.refusals += 1;
      else tally.others[error.code] = (tally.others[error.code] ?? 0) + 1;
    }
  }
}
