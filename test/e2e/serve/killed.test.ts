import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryName } from '../../../src/boundary/read/temporary-name.ts';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { connectHere } from '../../support/processes/connect.ts';
import { attackScale } from '../../support/race/seed.ts';
import { speak, speakHere, type Spoken } from '../../support/processes/speak.ts';
import { startHttpHere } from '../../support/http/start-http.ts';

const kills = 6 * attackScale;
const lanes = 3;
const length = 4 * 1024 * 1024;
const versions: readonly string[] = ['a'.repeat(length), 'b'.repeat(length)];

/** What a kill left. */
interface Wreck {
  readonly content: 'old' | 'new' | 'neither';
  /** Names on the disk that no call asked for. */
  readonly others: readonly string[];
}

test(`${kills} kills in the middle of writes leave old or new content, never a mix, and no litter`, async () => {
  const wrecks = (await Promise.all(Array.from({ length: lanes }, () => killServers(kills / lanes)))).flat();
  expect(wrecks).toHaveLength(kills);
  expect(wrecks.filter(({ content }) => content === 'neither')).toEqual([]);
  // What was being written has a name of its own, that says whose it is; a kill in the middle leaves it.
  const others = wrecks.flatMap((wreck) => wreck.others);
  for (const name of others) expect(name).toMatch(/^\.rootward-[0-9a-f]{24}\.tmp$/);
  // Otherwise no process was killed in the middle.
  expect(others.length).toBeGreaterThan(kills / 10);
}, 180_000);

/** Ends when what they left is gone: removed by the next server that starts, although no client asks it anything. */
async function killServers(times: number): Promise<readonly Wreck[]> {
  using files = tempTree();
  const wrecks: Wreck[] = [];
  const places = Array.from({ length: times }, (_, turn) => `app${turn}`);
  for (const place of places)
    wrecks.push(
      await endInWrite(files, place, async ({ wire }) => {
        await wait(Math.random() * 3);
        process.kill(wire.pid ?? 0, 'SIGKILL');
        await wire.leave();
      }),
    );
  await using next = await speak({ args: [files.path] });
  await expect
    .poll(() => places.flatMap((place) => othersIn(files.at(place))), { timeout: 40_000 })
    .toEqual([]);
  expect(next.wire.stderr()).toBe('');
  return wrecks;
}

/** What is there after a server was ended in the middle of a write. */
async function endInWrite(
  files: TempTree,
  place: string,
  end: (server: Spoken) => Promise<unknown>,
): Promise<Pick<Wreck, 'content' | 'others'>> {
  files.add(`${place}/file.txt = ${versions[0]}`);
  await using server = await speak({ args: [files.at(place)] });
  const watcher = watch(files.at(place));
  const begun = once(watcher, 'change', { signal: AbortSignal.timeout(30_000) });
  void server.call('write_file', { path: 'file.txt', content: versions[1] });
  await begun;
  watcher.close();
  await end(server);
  return { content: contentOf(files.at(place, 'file.txt')), others: othersIn(files.at(place)) };
}

function contentOf(file: string): Wreck['content'] {
  const known = ['old', 'new'] as const;
  return known[versions.indexOf(readFileSync(file, 'utf8'))] ?? 'neither';
}

function othersIn(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name !== 'file.txt');
}

test.each([
  ['SIGTERM', ({ wire }: Spoken) => void process.kill(wire.pid ?? 0, 'SIGTERM')],
  ['the end of stdin', () => undefined],
])('%s in the middle of a write leaves old or new content, and nothing else', async (_title, end) => {
  using files = tempTree();
  const { content, others } = await endInWrite(files, 'app', async (server) => {
    end(server);
    expect(await server.wire.leave()).toMatchObject({ code: 0 });
  });
  expect(content).not.toBe('neither');
  expect(others).toEqual([]);
});

test('no search and no tree shows what a killed server left, and a server that may not write leaves it', async () => {
  using files = tempTree(['app/a.txt = needle']);
  const left = `${temporaryName().slice(0, 16)}${deadProcess()}${'0'.repeat(12)}.tmp`;
  writeFileSync(files.at('app', left), 'needle');
  const looks: readonly (readonly [string, object])[] = [
    ['search_text', { pattern: 'needle', output: 'files' }],
    ['search_files', { path: '.', pattern: '*' }],
    ['find_files', { globs: ['*'] }],
    ['directory_tree', { path: '.' }],
    ['list_directory_with_sizes', { path: '.' }],
    ['list_directory', { path: '.' }],
  ];
  await using reader = await speakHere({ args: [files.at('app'), '--read-only'] });
  for (const [tool, input] of looks) {
    const { text } = await reader.call(tool, { ...input });
    expect(text).toContain('a.txt');
    expect(text).not.toContain('.rootward-');
  }
  expect(othersIn(files.at('app'))).toContain(left);
  await using writer = await speakHere({ args: [files.at('app')] });
  await writer.call('directory_tree', { path: '.' });
  expect(readdirSync(files.at('app'))).toEqual(['a.txt']);
});

test.concurrent('what a killed server left in the roots of a client is gone once another one knows them', async ({
  expect,
}) => {
  using files = tempTree(['app/src/a.txt = a', 'beside/a.txt = a']);
  const left = `${temporaryName().slice(0, 16)}${deadProcess()}${'0'.repeat(12)}.tmp`;
  const living = temporaryName();
  for (const place of ['app/src', 'beside']) writeFileSync(files.at(place, left), 'half');
  writeFileSync(files.at('app/src', living), 'half');
  await using server = await speakHere({ roots: [`file://${files.at('app')}`] });
  // The client is asked for its roots when a call needs them.
  await server.call('list_roots', {});
  await expect.poll(() => readdirSync(files.at('app/src')), { timeout: 40_000 }).toEqual([living, 'a.txt']);
  expect(server.wire.stderr()).toBe('');
  // The directories beside it were not granted.
  expect(readdirSync(files.at('beside'))).toEqual([left, 'a.txt']);
});

test.concurrent.for(['v2', 'v2 in 2026'] as const)(
  'a client of %s that lists no roots: it is gone from the directories of the operator',
  async (name, { expect }) => {
    using files = tempTree(['app/src/a.txt = a']);
    const left = `${temporaryName().slice(0, 16)}${deadProcess()}${'0'.repeat(12)}.tmp`;
    writeFileSync(files.at('app/src', left), 'half');
    await using client = await connectHere(name, { args: [files.at('app')] });
    expect(await client.call('list_roots')).toMatchObject({ isError: false });
    await expect.poll(() => readdirSync(files.at('app/src')), { timeout: 40_000 }).toEqual(['a.txt']);
    expect(client.stderr()).toBe('');
  },
);

test.concurrent('over HTTP it is gone before any client comes', async ({ expect }) => {
  using files = tempTree(['app/src/a.txt = a']);
  const left = `${temporaryName().slice(0, 16)}${deadProcess()}${'0'.repeat(12)}.tmp`;
  writeFileSync(files.at('app/src', left), 'half');
  await using server = await startHttpHere({ args: [files.at('app')] });
  await expect.poll(() => readdirSync(files.at('app/src')), { timeout: 40_000 }).toEqual(['a.txt']);
  expect(server.stdout()).toBe('');
});

/** The number of a process that has ended, as names have it. */
function deadProcess(): string {
  const { pid } = spawnSync('true');
  return pid.toString(16).padStart(6, '0');
}

test('a kill in the middle of a plain write does leave something else', async () => {
  using files = tempTree(['app/file.txt']);
  const script = fileURLToPath(new URL('../../support/processes/plain-writer.mjs', import.meta.url));
  const seen = new Set<Wreck['content']>();
  for (let turn = 0; turn < 20 && !seen.has('neither'); turn += 1) {
    writeFileSync(files.at('app/file.txt'), versions[0] ?? '');
    const child = fork(script, [files.at('app/file.txt'), String(length)], { execArgv: [] });
    await once(child, 'message');
    await wait(Math.random() * 40);
    child.kill('SIGKILL');
    await once(child, 'exit');
    seen.add(contentOf(files.at('app/file.txt')));
  }
  expect(seen).toContain('neither');
});
