import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TempTree } from '../../../src/testing/temp-tree.ts';
import handWritten from '../../data/ignore-trees.json' with { type: 'json' };
import { createRandom } from '../race/seed.ts';

/** A tree with `.gitignore` files. */
export interface IgnoreTree {
  readonly name: string;
  /** The lines of the `.gitignore` in each directory; the empty name is the top of the tree. */
  readonly rules: Readonly<Record<string, readonly string[] | undefined>>;
  /** Paths of files. */
  readonly files: readonly string[];
}

/** The trees written by hand, and as many made up, always the same for a seed. */
export function ignoreTrees(madeUp: number, seed: number): readonly IgnoreTree[] {
  const written: readonly IgnoreTree[] = handWritten;
  return [...written, ...Array.from({ length: madeUp }, (_, index) => makeUpTree(seed + index))];
}

/** Writes each tree into a directory of its own: `t0`, `t1` … All files have the same content. */
export function plantTrees(tree: TempTree, trees: readonly IgnoreTree[], content: string): void {
  const plant = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const [index, { files, rules }] of trees.entries()) {
    for (const file of files) plant(tree.at(`t${index}`, file), content);
    for (const [directory, lines] of Object.entries(rules))
      plant(tree.at(`t${index}`, directory, '.gitignore'), `${lines?.join('\n') ?? ''}\n`);
  }
}

/** Makes up a tree of up to four levels. One of ten has 1,500 rules in each file. */
function makeUpTree(seed: number): IgnoreTree {
  const pick = createPick(seed);
  const directories = ['', ...times(12, () => times(pick([1, 2, 3]), () => pick(names)).join('/'))];
  const found = directories.flatMap((directory) => times(5, () => `${directory}/${pick(names)}`));
  const paths = [...new Set(found.map((path) => path.replace(/^\//, '')))];
  const files = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
  const ruled = directories.filter(
    (directory) => directory === '' || (pick([true, false, false]) && !files.includes(directory)),
  );
  const many = seed % 10 === 0 ? 1_500 : 0;
  const rules = ruled.map((directory) => [directory, makeUpRules(pick, many)] as const);
  return { name: `made up from ${seed}`, rules: Object.fromEntries(rules), files };
}

type Pick = <Item>(items: readonly [Item, ...Item[]]) => Item;

function createPick(seed: number): Pick {
  const random = createRandom(seed);
  return (items) => items[Math.floor(random() * items.length)] ?? items[0];
}

function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function makeUpRules(pick: Pick, many: number): readonly string[] {
  const harmless = times(many, (index) => `${pick(names)}-${index}.o`);
  return [...harmless, ...times(pick([1, 2, 3, 4, 6, 8]), () => makeUpRule(pick))];
}

function makeUpRule(pick: Pick): string {
  const path = times(pick([1, 1, 1, 2, 2, 3]), () => pick(parts)).join('/');
  return `${pick(starts)}${path}${pick(ends)}`;
}

const plain = ['a', 'b', 'A', 'dist', 'src', 'keep.log', 'x.log', 'main.ts', 'a.b.c', '.hidden'] as const;
const odd = ['{a,b}', 'a b', 'b ', '#a', '!a', '[a]', 'ä', 'a-b', 'a_1'] as const;
const names = [...plain, ...odd] as const;
const stars = ['*', '*', '**', '**', '*.log', 'a*', '*.b.*', '{*.log,dist}', '\\*', '\\a'] as const;
const classes = ['?', '???', '[ab]', '[!a]', '[^b]', '[a-c]', '*.[lt]*', '[[:alpha:]]'] as const;
const parts = [...names, ...stars, ...classes] as const;
const starts = ['', '', '', '!', '!', '/', '!/', '#', '\\'] as const;
const ends = ['', '', '', '', '/', '/', ' ', '\\ ', '/**', '/*', '\r', '\t'] as const;
