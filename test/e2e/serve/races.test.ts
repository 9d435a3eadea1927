import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RootwardError } from '../../../src/index.ts';
import { difficultClients } from '../../../src/testing/index.ts';
import type { RacedOperation } from '../../support/race/race-operations.ts';
import { runRace, type Tally } from '../../support/race/run-race.ts';
import { type Attack, marker, openScene, type Scene } from '../../support/race/scene.ts';
import { startSwapper } from '../../support/race/swapper.ts';
import { referenceCommand } from '../../support/processes/command.ts';
import { speak, speakTo, type Spoken } from '../../support/processes/speak.ts';

/** A directory and a link that leads out take turns at one name, in another process. */
const exchanged: Attack = {
  entries: ['mid/victim/deep/', 'mid/parked-link => $TREE/outside'],
  directory: 'mid',
  cycle: [
    ['rename', 'victim', 'parked-directory'],
    ['rename', 'parked-link', 'victim'],
    ['rename', 'victim', 'parked-link'],
    ['rename', 'parked-directory', 'victim'],
  ],
  path: (name) => `mid/victim/deep/${name}`,
  target: 'mid/victim/deep',
};

/** A link that stays and one that leads out do, and the name is never free. */
const replaced: Attack = {
  entries: ['mid/safe/deep/', 'mid/victim => safe', 'mid/good => safe', 'mid/bad => ../../../../outside'],
  directory: 'mid',
  cycle: [
    ['link', 'bad', 'spare'],
    ['rename', 'spare', 'victim'],
    ['link', 'good', 'spare'],
    ['rename', 'spare', 'victim'],
  ],
  path: (name) => `mid/victim/deep/${name}`,
  target: 'mid/safe/deep',
};

type Input = Readonly<Record<string, unknown>>;

/** What a tool says; refusals are thrown, as the race counts them. */
async function say(server: Spoken, tool: string, input: Input): Promise<string> {
  const { refused, text, code } = await server.call(tool, input);
  if (!refused) return text;
  if (code === 'OUTSIDE_ROOTS') throw new RootwardError('OUTSIDE_ROOTS', { path: '', roots: [] });
  throw new RootwardError('NOT_FOUND', { verb: 'reach', path: '' });
}

/** The tools on the path that is being exchanged. What they answer, or leave behind, shows an escape. */
function operationsOn(server: Spoken): Readonly<Record<string, RacedOperation>> {
  const at = ({ spell, attack }: Scene, name: string): string => spell(attack.path(name));
  return {
    read_text_file: (scene) => say(server, 'read_text_file', { path: at(scene, 'file.txt') }),
    list_directory: (scene) => say(server, 'list_directory', { path: at(scene, '.') }),
    directory_tree: (scene) => say(server, 'directory_tree', { path: at(scene, '.') }),
    search_text: (scene) => say(server, 'search_text', { path: at(scene, '.'), pattern: marker }),
    async write_file(scene, turn) {
      await say(server, 'write_file', {
        path: at(scene, turn % 2 === 0 ? 'file.txt' : 'new.txt'),
        content: 'inside',
      });
      return '';
    },
    async edit_file(scene) {
      await say(server, 'edit_file', { path: at(scene, 'log.txt'), edits: [{ oldText: 'i', newText: 'i' }] });
      return '';
    },
    async remove_file(scene) {
      writeFileSync(scene.real('doomed.txt'), 'inside');
      await say(server, 'remove_file', { path: at(scene, 'doomed.txt') });
      return '';
    },
    /** Into the place, and out of it. */
    async move_file(scene, turn) {
      const calm = `calm/moved-${turn}.txt`;
      if (turn % 2 === 0) {
        writeFileSync(scene.calm(`moved-${turn}.txt`), 'inside');
        const into = at(scene, `moved-${turn}.txt`);
        await say(server, 'move_file', { source: scene.spell(calm), destination: into });
        return '';
      }
      writeFileSync(scene.real('old.txt'), 'inside');
      await say(server, 'move_file', { source: at(scene, 'old.txt'), destination: scene.spell(calm) });
      return say(server, 'read_text_file', { path: scene.spell(calm) });
    },
    async copy_file(scene, turn) {
      const calm = scene.spell(`calm/copied-${turn}.txt`);
      await say(server, 'copy_file', { source: at(scene, 'file.txt'), destination: calm });
      return say(server, 'read_text_file', { path: calm });
    },
    get_file_info: (scene) => say(server, 'get_file_info', { path: at(scene, `${marker}-only.txt`) }),
  };
}

/** Makes what is missing on the way, and would be in the way of who exchanges directories. */
function makingOn(server: Spoken): Readonly<Record<string, RacedOperation>> {
  return {
    async create_directory({ spell, real, attack }, turn) {
      await say(server, 'create_directory', { path: spell(attack.path(`directory-${turn}/below`)) });
      rmSync(real(`directory-${turn}`), { recursive: true });
      return '';
    },
  };
}

describe.runIf(process.platform === 'linux')('while another process exchanges names', () => {
  test.each([
    ['a directory and a link', exchanged, operationsOn],
    ['two links', replaced, (server: Spoken) => ({ ...operationsOn(server), ...makingOn(server) })],
  ])('of %s, no tool reads or touches anything outside', { timeout: 40_000 }, async (_title, attack, on) => {
    await using scene = await openScene(attack);
    await using server = await speak({ args: [scene.root, '--allow', 'remove'] });
    await using swapper = await startSwapper(scene.workplace, attack.cycle);
    const race = { refusal: 'OUTSIDE_ROOTS', milliseconds: 1_000, isEnough: isAlive } as const;
    const { escapes, tallies } = await runRace(scene, { ...race, operations: on(server) });
    await swapper.stop();
    expect(escapes).toEqual([]);
    // Otherwise the race is dead, and to have no escape proves nothing.
    expect({ tallies, alive: isAlive(Object.values(tallies)) }).toMatchObject({ alive: true });
  });

  test.each(['read_text_file', 'write_file', 'move_file'])('%s of the reference escapes', async (tool) => {
    await using scene = await openScene(exchanged);
    const undeclared = { client: difficultClients.undeclared, roots: [] };
    await using careless = await speakTo(referenceCommand(scene.root), undeclared);
    await using swapper = await startSwapper(scene.workplace, exchanged.cycle);
    const operation = operationsOn(careless)[tool];
    const { escapes } = await runRace(scene, {
      operations: operation === undefined ? {} : { [tool]: operation },
      refusal: 'OUTSIDE_ROOTS',
      milliseconds: 0,
      isEnough: () => false,
    });
    await swapper.stop();
    expect(escapes).not.toEqual([]);
  });
});

/** Each was done by right, and all of them together met the attack often. */
function isAlive(tallies: readonly Tally[]): boolean {
  const refusals = tallies.reduce((total, tally) => total + tally.refusals, 0);
  const successes = tallies.reduce((total, tally) => total + tally.successes, 0);
  return tallies.every(({ attempts }) => attempts >= 10) && refusals > 50 && successes > 50;
}
