import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { rename, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { toFileUri } from '../../../src/path/file-uri.ts';
import { parseRoots } from '../../../src/path/root.ts';
import { parsePolicy } from '../../../src/policy/rules/policy.ts';
import type { AttachOptions } from '../../../src/server/settings/attach-options.ts';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { allTools } from '../../../src/tools/all-tools.ts';
import { listTree } from '../../support/trees/list-tree.ts';
import { startSwapper, type SwapStep } from '../../support/race/swapper.ts';
import { connectKit, type KitClient, type KitClientOptions } from '../../support/peers/connect-kit.ts';
import { attackScale, attackSeed, createRandom } from '../../support/race/seed.ts';

/*
 * Roots that lie in each other, in every way in which they can be named, while files are moved, removed, made again
 * and replaced by links: by the tools themselves, and by another program that can write in the roots and nowhere
 * else. Nothing outside may be read or changed, and what surely lies in a root is served.
 */

const rounds = 5 * attackScale;
const stepsPerRound = 40;

/** Few names, so that they meet. */
const names = ['a', 'b', 'c'] as const;
const ways = ['', ...names, ...names.flatMap((one) => names.map((two) => `${one}/${two}`))];
const layout = [
  'home/',
  ...ways.map((way) => `w/${way}/mark.txt = w ${way}`),
  ...ways.map((way) => `v/${way}/mark.txt = v ${way}`),
  'outside/mark.txt = CANARY',
  'outside/package.json = {"name":"CANARY"}',
  'outside/a/package.json = {"name":"CANARY"}',
  'outside/a/mark.txt = CANARY a',
  'outside/b/c/mark.txt = CANARY b c',
];

/** In turn the root itself and a link out have the name. */
const exchange: readonly SwapStep[] = [
  ['rename', 'a', 'parked'],
  ['rename', 'out', 'a'],
  ['rename', 'a', 'out'],
  ['rename', 'parked', 'a'],
];

test(
  'a root is not exchanged in the moment in which it is opened',
  { timeout: 60_000 * attackScale },
  async () => {
    using tree = tempTree([...layout, 'w/out => ../outside']);
    const ceiling = pathsOf(tree, ['w', 'w/a', 'w/a/mark.txt']);
    await using kit = await connectKit({ tools: allTools, attach: { ...options, ceiling } });
    await using swapper = await startSwapper(tree.at('w'), exchange);
    const answers = new Map<string, number>();
    for (let count = 0; count < 80 * attackScale; count += 1) {
      const path = tree.at('w/a', count % 2 === 0 ? 'mark.txt' : 'package.json');
      const { content } = await kit.client.callTool({ name: 'read_text_file', arguments: { path } });
      const text = JSON.stringify(content);
      const answer = text.includes('CANARY') ? 'leak' : text.includes('"w a"') ? 'inside' : 'refused';
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
    expect(await swapper.stop()).toBeGreaterThan(0);
    expect(answers.get('leak')).toBeUndefined();
    expect([...answers.keys()].toSorted()).toEqual(['inside', 'refused']);
  },
);

interface Scene {
  readonly tree: TempTree;
  readonly kit: KitClient;
  /** Relative to the tree. */
  readonly roots: readonly string[];
  readonly pick: <Value>(values: readonly Value[]) => Value;
  readonly chance: (probability: number) => boolean;
  /** For the message of a failure. */
  readonly log: string[];
}

test(
  'nothing outside of roots that lie in each other is ever reached',
  { timeout: 60_000 * attackScale },
  async () => {
    const random = createRandom(attackSeed);
    let exposed = 0;
    for (let round = 0; round < rounds; round += 1) exposed += await attack(random);
    // A reader that follows names got something in every round.
    expect({ seed: attackSeed, exposed: exposed >= rounds }).toEqual({ seed: attackSeed, exposed: true });
  },
);

/** Tells how often a name beneath a root led outside, for a reader that follows links. */
async function attack(random: () => number): Promise<number> {
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const chance = (probability: number): boolean => random() < probability;
  using tree = tempTree(layout);
  const roots = chooseRoots(pick, chance);
  const naming = pick(namings);
  await using kit = await connectKit({ tools: allTools, ...naming(tree, roots) });
  const scene = { tree, kit, roots, pick, chance, log: [`${naming.name}: ${roots.join(' ')}`] };
  const outside = listTree(tree.at('outside'));
  let exposed = 0;
  for (let step = 0; step < stepsPerRound; step += 1) {
    await pick([meddle, meddle, useTool, useTool, useTool, openAgain])(scene);
    exposed += roots.filter((root) => leadsOutside(tree, root)).length;
    check(scene, { outside: listTree(tree.at('outside')) }, { outside });
  }
  await checkInside(scene);
  await linkOut(scene);
  exposed += leadsOutside(tree, 'w/a') ? 1 : 0;
  for (let step = 0; step < 10; step += 1) await useTool(scene);
  check(scene, { outside: listTree(tree.at('outside')) }, { outside });
  return exposed;
}

function check({ log }: Scene, found: object, wanted: object): void {
  expect({ seed: attackSeed, ...found, log }).toEqual({ seed: attackSeed, ...wanted, log });
}

/** Two to five, the first of which holds others; files too. */
function chooseRoots(pick: Scene['pick'], chance: Scene['chance']): readonly string[] {
  const roots = new Set<string>(['w', 'w/a']);
  const count = pick([2, 3, 4, 5]);
  while (roots.size < count) {
    const way = [pick(['w', 'w', 'w', 'v']), ...names.filter(() => chance(0.4)).slice(0, 2)];
    roots.add([...way, ...(chance(0.2) ? ['mark.txt'] : [])].join('/'));
  }
  return [...roots].toSorted(() => (chance(0.5) ? 1 : -1));
}

type Naming = (tree: TempTree, roots: readonly string[]) => Pick<KitClientOptions, 'attach' | 'roots'>;

const policy = parsePolicy({ preset: 'write-in-project', allow: ['remove'] });

const options: AttachOptions = { policy, freshness: 0 };

/** Each way in which roots are named. Where nothing is kept open, every call opens all of them. */
const namings: readonly Naming[] = [
  function operator(tree, roots) {
    return { attach: { ...options, ceiling: pathsOf(tree, roots) } };
  },
  function keptOpen(tree, roots) {
    return { attach: { policy, ceiling: pathsOf(tree, roots) } };
  },
  function client(tree, roots) {
    return { attach: options, roots: pathsOf(tree, roots) };
  },
  function both(tree, roots) {
    const [first = 'w', ...others] = pathsOf(tree, roots);
    return { attach: { ...options, ceiling: [first] }, roots: others };
  },
  function intersected(tree, roots) {
    const ceiling = [tree.at('w'), tree.at('v')];
    return { attach: { ...options, ceiling, merge: 'intersect' }, roots: pathsOf(tree, roots) };
  },
  function stored(tree, roots) {
    const ceiling = parseRoots(pathsOf(tree, roots)).roots;
    return { attach: { ...options, operator: () => ({ revision: 1, ceiling, policy }) } };
  },
];

function pathsOf(tree: TempTree, roots: readonly string[]): readonly string[] {
  return roots.map((root) => tree.at(root));
}

/** A place beneath an outermost root: these alone lie where only the person can write. */
function somewhere({ pick, chance, roots }: Scene): string {
  const tops = roots.filter((root) => !isFile(root) && !roots.some((other) => root.startsWith(`${other}/`)));
  const way = names.filter(() => chance(0.5));
  return [pick(tops), ...(way.length === 0 ? ['a'] : way), ...(chance(0.3) ? ['mark.txt'] : [])].join('/');
}

function isFile(root: string): boolean {
  return root.endsWith('.txt');
}

/** What another program does in the roots, as far as the disk lets it. */
async function meddle(scene: Scene): Promise<void> {
  const { tree, pick, chance, roots, log } = scene;
  const inner = roots.filter((root) => root.startsWith('w/'));
  const place = chance(0.3) ? pick(inner) : somewhere(scene);
  const other = somewhere(scene);
  if (!isReal(tree, dirname(place)) || !isReal(tree, dirname(other))) return;
  const targets = ['outside', 'outside/a', 'outside/mark.txt', 'w', 'w/a', 'v/b', other];
  const act = pick(['move', 'remove', 'link', 'link', 'make'] as const);
  const target = pick(targets);
  log.push(`${act} ${place} ${act === 'move' ? other : act === 'link' ? target : ''}`);
  try {
    if (act === 'move') await rename(tree.at(place), tree.at(other));
    else await rm(tree.at(place), { recursive: true, force: true });
    if (act === 'link') await symlink(tree.at(target), tree.at(place));
    if (act === 'make') tree.add(`${place}/mark.txt = made ${place}`);
  } catch {
    // The disk said no.
  }
}

/** One root surely leads outside in the end. */
async function linkOut({ tree, log }: Scene): Promise<void> {
  await rm(tree.at('w/a'), { recursive: true, force: true });
  await symlink(tree.at('outside'), tree.at('w/a'));
  log.push('link w/a outside');
}

/** Every tool that reaches files, with places in all spellings. */
async function useTool(scene: Scene): Promise<void> {
  const { pick } = scene;
  const place = (): string => spell(scene, pick([somewhere(scene), pick(scene.roots)]));
  const calls: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
    ['read_text_file', { path: `${place()}/mark.txt` }],
    ['read_text_file', { path: place() }],
    ['read_multiple_files', { paths: [`${place()}/mark.txt`, `${place()}/a/mark.txt`] }],
    ['list_directory', { path: place() }],
    ['directory_tree', { path: place() }],
    ['search_files', { path: place(), pattern: '**/mark.txt' }],
    ['write_file', { path: `${place()}/mark.txt`, content: 'written' }],
    ['write_file', { path: `${place()}/new.txt`, content: 'new' }],
    ['edit_file', { path: `${place()}/mark.txt`, edits: [{ oldText: 'CAN', newText: 'LEAK' }] }],
    ['create_directory', { path: `${place()}/made` }],
    ['copy_file', { source: `${place()}/mark.txt`, destination: `${place()}/copy.txt` }],
    ['move_file', { source: place(), destination: place() }],
    ['move_file', { source: place(), destination: `${place()}/c` }],
    ['remove_file', { path: place() }],
    ['remove_file', { path: place(), recursive: true }],
    ['get_file_info', { path: place() }],
    ['project_info', {}],
    ['why', {}],
  ];
  const [tool, input] = pick(calls);
  await call(scene, tool, input);
}

function spell({ tree, pick }: Scene, place: string): string {
  const path = tree.at(place);
  const [top = 'w'] = place.split('/');
  const below = path.slice(tree.at(top).length);
  return pick([
    path,
    `${tree.at(top)}/a/..${below}`,
    `${path}/`,
    toFileUri(path),
    `${path}/../${place.split('/').at(-1)}`,
  ]);
}

async function call(scene: Scene, tool: string, input: Record<string, unknown>): Promise<string> {
  scene.log.push(`${tool} ${JSON.stringify(input).replaceAll(scene.tree.path, '')}`);
  const result = await scene.kit.client.callTool({ name: tool, arguments: input });
  const text = JSON.stringify(result.content);
  check(scene, { tool, leaks: text.includes('CANARY') }, { tool, leaks: false });
  return text;
}

/** As if the time had passed for which a look at the disk counts. */
async function openAgain(scene: Scene): Promise<void> {
  await call(scene, 'switch_project', { project: scene.tree.at(scene.pick(['w', 'w/a', 'w/b'])) });
}

/** A root whose way from the outermost root has no link in it is served, as it is. */
async function checkInside(scene: Scene): Promise<void> {
  const { tree, roots } = scene;
  tree.add('w/fresh/');
  await call(scene, 'switch_project', { project: tree.at('w/fresh') });
  for (const root of roots) {
    const path = isFile(root) ? root : `${root}/mark.txt`;
    if (!isReal(tree, path) || !statSync(tree.at(path)).isFile()) continue;
    const wanted = readFileSync(tree.at(path), 'utf8');
    const text = await call(scene, 'read_text_file', { path: tree.at(path) });
    check(scene, { path, found: text.includes(JSON.stringify(wanted)) }, { path, found: true });
  }
}

/** There, and no link on the way. */
function isReal(tree: TempTree, place: string): boolean {
  const parts = place.split('/');
  return parts.every((_, index) => {
    const stats = lookAt(tree.at(parts.slice(0, index + 1).join('/')));
    return stats !== undefined && !stats.isSymbolicLink();
  });
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function leadsOutside(tree: TempTree, root: string): boolean {
  try {
    const path = isFile(root) ? root : `${root}/mark.txt`;
    return readFileSync(tree.at(path), 'utf8').includes('CANARY');
  } catch {
    return false;
  }
}
