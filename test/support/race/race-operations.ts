import { readFileSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { marker, outsideMode, type Scene } from './scene.ts';

/**
 * Does one thing to a path that is being exchanged, and gives back what it saw: an escape is seen by the
 * marker in it, or by a change of the outside. `turn` is another number for each attempt.
 */
export type RacedOperation = (scene: Scene, turn: number) => Promise<string>;

/** What can be done to a file. */
export const fileOperations: Readonly<Record<string, RacedOperation>> = {
  read: ({ boundary, attack }) => boundary.readText(attack.path('file.txt')),

  async stat({ boundary, attack }) {
    const { mode } = await boundary.stat(attack.path('file.txt'));
    return mode === outsideMode ? marker : '';
  },

  async write({ boundary, attack }) {
    await boundary.write(attack.path('file.txt'), 'inside');
    return '';
  },

  async append({ boundary, attack, real }, turn) {
    // An existing file, or one that the call creates.
    if (turn % 2 === 0) await boundary.append(attack.path('log.txt'), '.');
    else {
      await boundary.append(attack.path(`log-${turn}.txt`), '.');
      rmSync(real(`log-${turn}.txt`), { force: true });
    }
    return '';
  },

  /** Out of the place, and into it. */
  async copy({ boundary, attack, calm }, turn) {
    if (turn % 2 === 0) {
      await boundary.copy(attack.path('file.txt'), 'calm/copy.txt', { replace: true });
      return readFileSync(calm('copy.txt'), 'utf8');
    }
    await boundary.copy('calm/inside.txt', attack.path('copied.txt'), { replace: true });
    return '';
  },

  async changeMode({ boundary, attack }, turn) {
    await boundary.changeMode(attack.path('file.txt'), turn % 2 === 0 ? 0o600 : 0o777);
    return '';
  },
};

/** What can be done to a file or a directory in a directory. */
export const allOperations: Readonly<Record<string, RacedOperation>> = {
  ...fileOperations,

  async list({ boundary, attack }) {
    const { entries } = await boundary.list(attack.path('.'));
    return entries.map(({ name }) => name).join();
  },

  async walk({ boundary, attack }) {
    let seen = '';
    for await (const { path } of boundary.walk(attack.path('.'), { depth: 3 })) seen += `${path},`;
    return seen;
  },

  async create({ boundary, attack, real }, turn) {
    await boundary.write(attack.path(`new-${turn}.txt`), 'inside', { exclusive: true });
    rmSync(real(`new-${turn}.txt`));
    return '';
  },

  async makeDirectory({ boundary, attack, real }, turn) {
    await boundary.makeDirectory(attack.path(`directory-${turn}`));
    rmdirSync(real(`directory-${turn}`));
    return '';
  },

  async remove({ boundary, attack, real }) {
    writeFileSync(real('doomed.txt'), 'inside');
    await boundary.remove(attack.path('doomed.txt'));
    return '';
  },

  /** Within the place, out of it, and into it. */
  async rename({ boundary, attack, real, calm }, turn) {
    if (turn % 3 === 2) {
      writeFileSync(calm(`planted-${turn}.txt`), 'inside');
      try {
        await boundary.rename(`calm/planted-${turn}.txt`, attack.path(`planted-${turn}.txt`));
      } finally {
        rmSync(calm(`planted-${turn}.txt`), { force: true });
        rmSync(real(`planted-${turn}.txt`), { force: true });
      }
      return '';
    }
    writeFileSync(real('old.txt'), 'inside');
    const target = turn % 3 === 0 ? attack.path('renamed.txt') : 'calm/stolen.txt';
    await boundary.rename(attack.path('old.txt'), target, { replace: true });
    return turn % 3 === 0 ? '' : readFileSync(calm('stolen.txt'), 'utf8');
  },
};
