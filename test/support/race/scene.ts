import { chmodSync, closeSync, constants, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Boundary, openBoundary } from '../../../src/index.ts';
import { type TempTree, tempTree } from '../../../src/testing/temp-tree.ts';
import type { SwapStep } from './swapper.ts';

/** Whatever lies outside says so: in its content, or in its name. */
export const marker = 'OUTSIDE';

/** And in its mode, which nothing inside ever gets. */
export const outsideMode = 0o604;

/** Where the root is, beneath two directories that hold the same names as it does. */
const root = 'outside/deep/root';

/** Names that exist inside and outside, so that an escape has something to hit. */
const names = ['file.txt', 'log.txt', 'doomed.txt', 'old.txt', 'copied.txt'];

/** One way to lead a path astray while it is being followed. */
export interface Attack {
  /** More entries of the root. */
  readonly entries: readonly string[];
  /** Where the attacker works, relative to the root, and what it repeats there. */
  readonly directory: string;
  readonly cycle: readonly SwapStep[];
  /** A path through what is being exchanged. */
  readonly path: (name: string) => string;
  /** The directory that the path leads to without interference, relative to the root. */
  readonly target: string;
}

/** A root with a hostile neighbourhood, opened. */
export interface Scene extends AsyncDisposable {
  readonly boundary: Boundary;
  readonly attack: Attack;
  /** Where the attacker works. */
  readonly workplace: string;
  readonly root: string;
  /** A path as a naive server would spell it. */
  readonly spell: (path: string) => string;
  /** The place that the path leads to by right, wherever it has been moved: for preparing and tidying up. */
  readonly real: (name: string) => string;
  /** A place of the root that is never exchanged. */
  readonly calm: (name: string) => string;
  /** All that can be known about the outside. Two of them differ if anything was touched. */
  readonly snapshot: () => string;
}

/** Builds the tree of an attack. */
export async function openScene(attack: Attack): Promise<Scene> {
  const tree = tempTree([
    ...['outside', 'outside/deep'].flatMap((directory) => outsideEntries(directory)),
    `${root}/calm/inside.txt = inside`,
    ...attack.entries.map((entry) => `${root}/${entry}`),
    ...names.map((name) => `${root}/${attack.target}/${name} = inside`),
  ]);
  for (const name of names)
    for (const directory of ['outside', 'outside/deep']) chmodSync(tree.at(directory, name), outsideMode);
  const boundary = await openBoundary(tree.at(root));
  const held = openSync(tree.at(root, attack.target), constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    boundary,
    attack,
    workplace: tree.at(root, attack.directory),
    root: tree.at(root),
    spell: (path) => `${tree.at(root)}/${path}`,
    real: (name) => `/proc/self/fd/${held}/${name}`,
    calm: (name) => tree.at(root, 'calm', name),
    snapshot: () => ['outside', 'outside/deep'].flatMap((name) => describe(tree, name)).join('\n'),
    async [Symbol.asyncDispose]() {
      closeSync(held);
      await boundary.close();
      tree[Symbol.dispose]();
    },
  };
}

function outsideEntries(directory: string): readonly string[] {
  return [
    `${directory}/${marker}-only.txt`,
    ...names.map((name) => `${directory}/${name} = ${marker} ${name}`),
  ];
}

/** Times of change tell of everything that happens to an entry; of a directory, of everything in it. */
function describe(tree: TempTree, directory: string): readonly string[] {
  const inside = tree.at(root);
  return ['.', ...readdirSync(tree.at(directory))]
    .map((name) => join(tree.at(directory), name))
    .filter((path) => path !== inside)
    .map((path) => {
      const stats = lstatSync(path, { bigint: true });
      const content = stats.isFile() ? readFileSync(path, 'utf8') : '';
      return `${path} ${stats.ino} ${stats.mode} ${stats.nlink} ${stats.size} ${stats.ctimeNs} ${content}`;
    });
}
