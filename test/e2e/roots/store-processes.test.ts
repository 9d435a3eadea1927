import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openRootStore } from '../../../src/client/store/open-root-store.ts';
import type { RootStore } from '../../../src/client/store/root-store.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import { attackScale } from '../../support/race/seed.ts';
import { startStoreWriter, type StoreWriter } from '../../support/processes/start-store-writer.ts';

/** Of each process. The file grows with every change, and so does the work of the next one. */
const changes = attackScale > 1 ? 180 : 15;
const reopenings = attackScale > 1 ? 600 : 30;
const kills = attackScale > 1 ? 6 * attackScale : 4;

test(
  `4 processes that make ${changes} changes each lose none, and every store sees them`,
  { timeout: 240_000 },
  async () => {
    using tree = tempTree(['roots.jsonc = // mine\n{ "version": 1, "revision": 0, "roots": [] }\n']);
    const file = tree.at('roots.jsonc');
    await using watching = await openRootStore({ file });
    const seen = new Promise<void>((resolve) => {
      watching.subscribe(({ snapshot }) => {
        if (snapshot.roots.length === 4 * changes) resolve();
      });
    });
    const writers: StoreWriter[] = [];
    try {
      for (let number = 0; number < 4; number += 1) {
        writers.push(await startStoreWriter({ file, name: `p${number}`, changes }));
      }
      for (const writer of writers) writer.go();
      await Promise.all(writers.map(({ done }) => done));
    } finally {
      for (const writer of writers) await writer[Symbol.asyncDispose]();
    }
    await seen;
    const expected = writers.flatMap((_, number) =>
      Array.from({ length: changes }, (_, count) => `p${number}-${count}`),
    );
    expect(
      watching
        .list()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(expected.toSorted());
    expect(watching.revision).toBe(4 * changes);
    expect(readFileSync(file, 'utf8')).toMatch(/^\/\/ mine\n/);
    expect(readdirSync(tree.path)).toEqual(['roots.jsonc', 'roots.jsonc.lock']);
  },
);

test(
  `nothing is lost when processes are killed in the middle of a change, nor in ${reopenings} reopenings after it`,
  { timeout: 180_000 },
  async () => {
    using tree = tempTree(['roots.jsonc = // mine\n{ "version": 1, "revision": 0, "roots": [] }\n']);
    const file = tree.at('roots.jsonc');
    const told = await killWriters(file);
    expect(told.size).toBeGreaterThanOrEqual(5 * kills);
    await using first = await openRootStore({ file, follow: false });
    const kept = namesIn(first);
    expect([...told].filter((name) => !kept.includes(name))).toEqual([]);
    const { revision } = first;
    for (let cycle = 0; cycle < reopenings; cycle += 1) {
      await using store = await openRootStore({ file });
      // One more with every tenth opening, so that what was killed goes on being changed.
      const more = Math.ceil(cycle / 10);
      expect([store.damage, store.revision, store.list().length]).toEqual([
        undefined,
        revision + more,
        kept.length + more,
      ]);
      if (cycle % 10 === 0) await store.add({ path: `/srv/again-${cycle}`, mustExist: false });
    }
    await using last = await openRootStore({ file, follow: false });
    expect(namesIn(last).slice(0, kept.length)).toEqual(kept);
    expect(readFileSync(file, 'utf8')).toMatch(/^\/\/ mine\n/);
    // Nothing of the killed ones is left beside it.
    expect(readdirSync(tree.path)).toEqual(['roots.jsonc', 'roots.jsonc.lock']);
  },
);

const namesIn = (store: RootStore): readonly string[] => store.list().map(({ name }) => name);

/** Kills processes that change a store, each at another moment; returns what they said was on the disk. */
async function killWriters(file: string): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  for (let round = 0; round < kills; round += 1) {
    await using writer = await startStoreWriter({ file, name: `k${round}` });
    writer.go();
    let count = 0;
    for await (const name of writer.added) {
      told.add(name);
      count += 1;
      // At another moment of the next change each time.
      if (count === 4) setTimeout(() => writer.child.kill('SIGKILL'), round);
    }
    await using store = await openRootStore({ file, follow: false });
    const kept = new Set(namesIn(store));
    expect([...told].filter((name) => !kept.has(name))).toEqual([]);
    // The lock ended with its process.
    await store.add({ path: `/srv/after-${round}`, mustExist: false });
    told.add(`after-${round}`);
  }
  return told;
}

test('an open store keeps no process alive', async () => {
  using tree = tempTree(['roots.jsonc = { "version": 1, "roots": [] }']);
  const built = new URL('../../../.build/src/client/store/open-root-store.js', import.meta.url).href;
  const program = `
    import { openRootStore } from '${built}';
    const store = await openRootStore({ file: process.argv[1] });
    await store.add({ path: '/srv/app', mustExist: false });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, tree.at('roots.jsonc')]);
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(readFileSync(tree.at('roots.jsonc'), 'utf8')).toContain('/srv/app');
});
