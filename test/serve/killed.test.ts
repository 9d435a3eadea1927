import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openBoundary } from '../../src/boundary/open-boundary.ts';
import { type TempTree, tempTree } from '../../src/testing/index.ts';
import { speak, type Spoken } from './speak.ts';

const kills = 30;
const lanes = 3;
const length = 4 * 1024 * 1024;
const versions: readonly string[] = ['a'.repeat(length), 'b'.repeat(length)];

/** What a kill left. */
interface Wreck {
  readonly content: 'old' | 'new' | 'neither';
  readonly others: readonly string[];
  /** What is left of that after the next write there. */
  readonly litter: readonly string[];
}

test(`${kills} kills in the middle of writes leave old or new content, never a mix, and no litter after the next write`, async () => {
  const wrecks = (await Promise.all(Array.from({ length: lanes }, () => killServers(kills / lanes)))).flat();
  expect(wrecks).toHaveLength(kills);
  expect(wrecks.filter(({ content }) => content === 'neither')).toEqual([]);
  // What was being written has a name of its own, that says whose it is; a kill in the middle leaves it.
  const others = wrecks.flatMap((wreck) => wreck.others);
  for (const name of others) expect(name).toMatch(/^\.rootward-[0-9a-f]{24}\.tmp$/);
  expect(wrecks.flatMap(({ litter }) => litter)).toEqual([]);
  // Otherwise nobody was killed in the middle.
  expect(others.length).toBeGreaterThan(kills / 10);
}, 60_000);

async function killServers(times: number): Promise<readonly Wreck[]> {
  const wrecks: Wreck[] = [];
  for (let turn = 0; turn < times; turn += 1)
    wrecks.push(
      await wreckAfter(async ({ wire }) => {
        await wait(Math.random() * 3);
        process.kill(wire.pid ?? 0, 'SIGKILL');
        await wire.leave();
      }),
    );
  return wrecks;
}

/** What is there after a server was ended in the middle of a write. */
async function wreckAfter(end: (server: Spoken) => Promise<unknown>): Promise<Wreck> {
  using files = tempTree([`app/file.txt = ${versions[0]}`]);
  await using server = await speak({ args: [files.at('app')] });
  const watcher = watch(files.at('app'));
  const begun = once(watcher, 'change', { signal: AbortSignal.timeout(10_000) });
  void server.call('write_file', { path: 'file.txt', content: versions[1] });
  await begun;
  watcher.close();
  await end(server);
  return await wreckIn(files);
}

test.each([
  ['SIGTERM', ({ wire }: Spoken) => void process.kill(wire.pid ?? 0, 'SIGTERM')],
  ['the end of stdin', () => undefined],
])('%s in the middle of a write leaves old or new content, and nothing else', async (_title, end) => {
  const { content, others } = await wreckAfter(async (server) => {
    end(server);
    expect(await server.wire.leave()).toMatchObject({ code: 0 });
  });
  expect(content).not.toBe('neither');
  expect(others).toEqual([]);
});

async function wreckIn(files: TempTree): Promise<Wreck> {
  const content = readFileSync(files.at('app/file.txt'), 'utf8');
  const known = ['old', 'new'] as const;
  const unknown = (): readonly string[] =>
    readdirSync(files.at('app')).filter((name) => name !== 'file.txt' && name !== 'next.txt');
  const others = unknown();
  await using boundary = await openBoundary(files.at('app'));
  await boundary.write('next.txt', 'the next write');
  return { content: known[versions.indexOf(content)] ?? 'neither', others, litter: unknown() };
}

test('a kill in the middle of a plain write does leave something else', async () => {
  using files = tempTree(['app/file.txt']);
  const script = fileURLToPath(new URL('plain-writer.mjs', import.meta.url));
  const seen = new Set<Wreck['content']>();
  for (let turn = 0; turn < 20 && !seen.has('neither'); turn += 1) {
    writeFileSync(files.at('app/file.txt'), versions[0] ?? '');
    const child = fork(script, [files.at('app/file.txt'), String(length)], { execArgv: [] });
    await once(child, 'message');
    await wait(Math.random() * 40);
    child.kill('SIGKILL');
    await once(child, 'exit');
    seen.add((await wreckIn(files)).content);
  }
  expect(seen).toContain('neither');
});
