import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oursOf } from './serve.bench.ts';
import { plantServeTree, sample, type ServeTree } from './serve-tree.ts';
import { type ServeWire, startServer } from './serve-wire.ts';
import type { Measurement, Suite } from './suite.ts';
import { type Contestant, timePair } from './time-pair.ts';

/** A call of the shipped command costs the same whatever else there is: many roots, many files beside. */
export const flatSuite: Suite = {
  name: 'flat',
  async run() {
    using tree = plantServeTree();
    const roots = plantRoots(tree);
    return [
      ...(await compareRoots(tree, roots, 10)),
      ...(await compareRoots(tree, roots, 256)),
      await firstCall(tree, roots),
      await compareFiles(tree),
    ];
  },
};

const flat = { kind: 'within', factor: 1.1 } as const;

function plantRoots({ top }: ServeTree): readonly string[] {
  return Array.from({ length: 256 }, (_, index) => {
    const root = join(top, '..', 'roots', `root-${index}`);
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, 'file.ts'), sample);
    return root;
  });
}

async function compareRoots(
  tree: ServeTree,
  roots: readonly string[],
  count: number,
): Promise<readonly Measurement[]> {
  const path = join(roots[0] ?? '', 'file.ts');
  await using many = startServer(oursOf(tree, roots.slice(0, count)));
  await using one = startServer(oursOf(tree, roots.slice(0, 1)));
  await Promise.all([many.begin(), one.begin()]);
  const times = await timePair(reading(many, path), reading(one, path), { rounds: 9, milliseconds: 500 });
  return [{ name: `read_text_file with ${count} roots`, against: 'one root', ...times, target: flat }];
}

function reading(server: ServeWire, path: string): Contestant {
  return async (count) => {
    for (let index = 0; index < count; index += 1) await server.call('read_text_file', { path });
  };
}

const starts = 7;
/** Nanoseconds that the first call may take. */
const budget = 100e6;

async function firstCall(tree: ServeTree, roots: readonly string[]): Promise<Measurement> {
  const path = join(roots[0] ?? '', 'file.ts');
  const times: number[] = [];
  for (let round = 0; round < starts; round += 1) {
    await using server = startServer(oursOf(tree, roots));
    await server.begin();
    const begun = process.hrtime.bigint();
    await server.call('read_text_file', { path });
    times.push(Number(process.hrtime.bigint() - begun));
  }
  const ours = times.toSorted((a, b) => a - b)[Math.floor(starts / 2)] ?? 0;
  const target = { kind: 'within', factor: 1 } as const;
  return { name: 'the first call with 256 roots', against: 'a budget', ours, theirs: budget, target };
}

async function compareFiles(tree: ServeTree): Promise<Measurement> {
  const crowd = join(tree.top, 'crowd');
  mkdirSync(crowd);
  for (let index = 0; index < 20_000; index += 1) writeFileSync(join(crowd, `file-${index}.ts`), '');
  writeFileSync(join(crowd, 'file.ts'), sample);
  await using server = startServer(oursOf(tree));
  await server.begin();
  const times = await timePair(reading(server, join(crowd, 'file.ts')), reading(server, tree.shallow), {
    rounds: 9,
    milliseconds: 500,
  });
  return { name: 'read_text_file beside 20,000 files', against: 'a small directory', ...times, target: flat };
}
