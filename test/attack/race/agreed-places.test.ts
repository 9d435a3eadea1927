import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { access } from '../../../src/access.ts';
import { createMemorySink } from '../../../src/audit/sink.ts';
import { toFileUri } from '../../../src/path/file-uri.ts';
import { parseRoots } from '../../../src/path/root.ts';
import { parsePolicy } from '../../../src/policy/rules/policy.ts';
import type { ConsentQuestion } from '../../../src/policy/settle.ts';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { type Location, openWorkspace, type Workspace } from '../../../src/workspace/workspace.ts';
import { changesBetween, snapshot } from '../../support/trees/snapshot.ts';
import { attackScale, attackSeed, createRandom } from '../../support/race/seed.ts';

/*
 * A person says yes to one place after another, while another program exchanges files, directories and links before
 * the answer counts. Nothing changes but the place that the question named and what is in it, and the entry tells
 * exactly what did.
 */

const rounds = 150 * attackScale;
const names = ['a', 'b', 'c'] as const;
const ways = [...names, ...names.flatMap((one) => names.map((two) => `${one}/${two}`))];

const acts = {
  write: ({ boundary, relative }: Location) => boundary.write(relative, 'changed'),
  'write with parents': ({ boundary, relative }: Location) =>
    boundary.write(relative, 'changed', { parents: true }),
  append: ({ boundary, relative }: Location) => boundary.append(relative, 'changed'),
  directory: ({ boundary, relative }: Location) => boundary.makeDirectory(relative, { parents: true }),
  mode: ({ boundary, relative }: Location) => boundary.changeMode(relative, 0o700),
  remove: ({ boundary, relative }: Location) => boundary.remove(relative),
  'remove a tree': ({ boundary, relative }: Location) => boundary.remove(relative, { tree: true }),
} as const;
const actNames = Object.keys(acts) as readonly (keyof typeof acts)[];

interface Scene {
  readonly tree: TempTree;
  readonly workspace: Workspace;
  readonly pick: <Value>(values: readonly Value[]) => Value;
}

test(
  'a yes reaches no other place than the one that was asked about',
  { timeout: 60_000 * attackScale },
  async () => {
    const random = createRandom(attackSeed);
    const pick: Scene['pick'] = (values) =>
      values[Math.floor(random() * values.length)] as (typeof values)[number];
    using tree = tempTree(['app/']);
    await using workspace = await openWorkspace(parseRoots([{ uri: toFileUri(tree.at('app')) }]).roots);
    let changed = 0;
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { agreed, onDisk, told } = await play({ tree, workspace, pick });
      const isAgreed = (name: string): boolean =>
        name === agreed || name.startsWith(`${agreed}/`) || agreed.startsWith(`${name}/`);
      const covers = (place: string, name: string): boolean => name === place || name.startsWith(`${place}/`);
      const wrong = onDisk.filter((name) => !isAgreed(name) || !told.some((place) => covers(place, name)));
      expect({ seed: attackSeed, round, agreed, wrong }).toEqual({
        seed: attackSeed,
        round,
        agreed,
        wrong: [],
      });
      changed += onDisk.length > 0 ? 1 : 0;
      refused += onDisk.length > 0 ? 0 : 1;
    }
    // Both happen, or nothing was tried.
    expect({ seed: attackSeed, both: changed > 0 && refused > 0 }).toEqual({ seed: attackSeed, both: true });
  },
);

interface Played {
  readonly agreed: string;
  readonly onDisk: readonly string[];
  readonly told: readonly string[];
}

async function play(scene: Scene): Promise<Played> {
  const { tree, workspace, pick } = scene;
  rmSync(tree.at('app/a'), { recursive: true, force: true });
  rmSync(tree.at('app/b'), { recursive: true, force: true });
  rmSync(tree.at('app/c'), { recursive: true, force: true });
  for (let count = 0; count < 6; count += 1) exchange(scene);
  const audit = createMemorySink();
  const asked: { agreed?: string; before?: ReturnType<typeof snapshot> } = {};
  const ask = ({ at }: ConsentQuestion): boolean => {
    asked.agreed = at.relative;
    for (let count = 0; count < 2; count += 1) exchange(scene);
    asked.before = snapshot(tree.at('app'), { times: false });
    return true;
  };
  const name = pick(actNames);
  const operation = name.startsWith('remove') ? 'remove' : 'write';
  const policy = parsePolicy({ allow: ['read', 'list'], ask: ['write', 'remove'] });
  const request = { operation, path: pick(ways) } as const;
  await access({ workspace, policy, audit, ask }, request, acts[name]).catch(() => {});
  const after = snapshot(tree.at('app'), { times: false });
  return {
    agreed: asked.agreed ?? '',
    onDisk: asked.before === undefined ? [] : changesBetween(asked.before, after),
    told: audit.entries().flatMap(({ changed = [] }) => changed.map(({ place }) => place)),
  };
}

/** Something else at a random place: nothing, a file, a directory or a link. */
function exchange({ tree, pick }: Scene): void {
  const way = pick(ways);
  const path = tree.at('app', way);
  const target = pick([...ways, `../${pick(ways)}`]);
  try {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    const kind = pick(['nothing', 'file', 'directory', 'link', 'link']);
    if (kind === 'file') writeFileSync(path, way);
    if (kind === 'directory') mkdirSync(path);
    if (kind === 'link') symlinkSync(target, path);
  } catch {
    // What lies above is a file, or a link that leads nowhere.
  }
}
