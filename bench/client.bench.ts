import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import writeFileAtomic from 'write-file-atomic';
import { expose } from '../src/client/expose/expose.ts';
import { openRootStore } from '../src/client/store/open-root-store.ts';
import type { RootStore } from '../src/client/store/root-store.ts';
import { watchRoots } from '../src/client/watch/watch-roots.ts';
import { parseRoots, type Root } from '../src/path/root.ts';
import type { Measurement, Suite } from './suite.ts';
import { type PairTimes, timeOne, timePair } from './time-pair.ts';

/** What does it cost a host to keep roots, to show them, and to watch them? */
export const clientSuite: Suite = {
  name: 'client',
  async run() {
    const top = mkdtempSync(join(tmpdir(), 'rootward-bench-'));
    try {
      return [
        await addition(join(top, 'hundred'), 100),
        await additionToMany(join(top, 'thousands'), 10_000),
        await looking(join(top, 'looking'), 100),
        await listing(join(top, 'listing'), 10_000),
        await reaching(join(top, 'reaching'), 100),
        ...(await watching(join(top, 'watching'), 1_000)),
      ];
    } finally {
      rmSync(top, { recursive: true });
    }
  },
};

/** A store whose roots need not exist. */
async function openFilled(directory: string, count: number): Promise<RootStore> {
  mkdirSync(directory);
  const file = join(directory, 'roots.jsonc');
  const roots = Array.from({ length: count }, (_, index) => ({ path: `/srv/r${index}`, name: `r${index}` }));
  await writeFileAtomic(file, JSON.stringify({ version: 1, revision: 1, roots }, undefined, 2));
  return openRootStore({ file, follow: false });
}

/** One root more, on the disk, against a file of the same bytes that is replaced as a whole. */
async function addition(directory: string, stored: number): Promise<Measurement> {
  await using store = await openFilled(directory, stored);
  const other = join(directory, 'other.jsonc');
  const times = await inTurns(
    async () => {
      await store.add({ path: '/srv/new', mustExist: false });
    },
    async () => {
      const text = readFileSync(store.file, 'utf8');
      return () => writeFileAtomic(other, text);
    },
    () => store.remove('/srv/new'),
  );
  return {
    name: `one root more with ${stored} stored, on the disk`,
    against: 'write-file-atomic with the same bytes',
    ...times,
    target: { kind: 'within', factor: 3 },
  };
}

/** The whole file is read, checked and written again: more than any person has, and still no wait. */
async function additionToMany(directory: string, stored: number): Promise<Measurement> {
  await using store = await openFilled(directory, stored);
  const times: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const path = `/srv/new${round}`;
    times.push(await timed(async () => void (await store.add({ path, mustExist: false }))));
  }
  return {
    name: `one root more with ${stored.toLocaleString('en')} stored, on the disk`,
    against: 'a second',
    ours: median(times),
    theirs: 1e9,
    target: { kind: 'within', factor: 1 },
  };
}

/** What every call of a server costs that follows the store: is it still the same? */
async function looking(directory: string, stored: number): Promise<Measurement> {
  await using store = await openFilled(directory, stored);
  // A file that was just written has to be read each time, because its clock may not have ticked.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const times = await timePair(
    async (count) => {
      for (let index = 0; index < count; index += 1) await store.refresh();
    },
    async (count) => {
      for (let index = 0; index < count; index += 1) await readFile(store.file, 'utf8');
    },
  );
  return {
    name: `a look at a store of ${stored} roots that did not change`,
    against: 'to read its file',
    ...times,
    target: { kind: 'within', factor: 1.5 },
  };
}

/** Times one after the other; what is made ready and what is cleaned up does not count. */
async function inTurns(
  ours: () => Promise<void>,
  prepareTheirs: () => Promise<() => Promise<void>>,
  cleanUp: () => Promise<unknown>,
): Promise<PairTimes> {
  const [our, their]: [number[], number[]] = [[], []];
  for (let round = 0; round < 40; round += 1) {
    our.push(await timed(ours));
    their.push(await timed(await prepareTheirs()));
    await cleanUp();
  }
  return { ours: median(our), theirs: median(their) };
}

async function timed(run: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await run();
  return Number(process.hrtime.bigint() - start);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

interface Connected {
  readonly client: Client;
  readonly server: McpServer;
  readonly ask: () => Promise<unknown>;
}

const info = { name: 'bench', version: '1' };

async function connect(prepare: (client: Client) => void): Promise<Connected> {
  const client = new Client(info, { capabilities: { roots: { listChanged: true } } });
  prepare(client);
  const server = new McpServer(info);
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverEnd), client.connect(clientEnd)]);
  return { client, server, ask: () => server.server.listRoots() };
}

const described = { server: { name: 'bench', command: 'bench' } };

/** Judged root by root, with permissions, over the wire and read by the server. */
async function listing(directory: string, count: number): Promise<Measurement> {
  await using store = await openFilled(directory, count);
  const { client, ask } = await connect((one) => expose(one, store, described));
  const ours = await timeOne(
    async (times) => {
      for (let index = 0; index < times; index += 1) await ask();
    },
    { rounds: 9 },
  );
  await client.close();
  return {
    name: `roots/list with ${count.toLocaleString('en')} roots`,
    against: 'a quarter of a second',
    ours,
    theirs: 250e6,
    target: { kind: 'within', factor: 1 },
  };
}

/** From the change to the last of the servers, with the time in which changes become one. */
async function reaching(directory: string, count: number): Promise<Measurement> {
  await using store = await openFilled(directory, 100);
  let heard = 0;
  let all: () => void = () => {};
  const connected: Connected[] = [];
  for (let index = 0; index < count; index += 1) {
    const one = await connect((client) =>
      expose(client, store, { server: { name: `s${index}`, command: 'x' } }),
    );
    one.server.server.setNotificationHandler('notifications/roots/list_changed', () => {
      heard += 1;
      if (heard === count) all();
    });
    connected.push(one);
  }
  const times: number[] = [];
  // Nothing that waits in a store or a client keeps a process alive.
  const alive = setInterval(() => {}, 1_000);
  for (let round = 0; round < 15; round += 1) {
    heard = 0;
    const told = new Promise<void>((resolve) => {
      all = resolve;
    });
    times.push(
      await timed(async () => {
        await store.add({ path: `/srv/new${round}`, mustExist: false });
        await told;
      }),
    );
  }
  clearInterval(alive);
  await Promise.all(connected.map(({ client }) => client.close()));
  return {
    name: `a change reaches ${count} connected servers`,
    against: 'a quarter of a second',
    ours: median(times),
    theirs: 250e6,
    target: { kind: 'within', factor: 1 },
  };
}

/** Roots in ten directories, as people keep them. */
async function watching(directory: string, count: number): Promise<readonly Measurement[]> {
  const paths = Array.from({ length: count }, (_, index) => join(directory, `d${index % 10}`, `r${index}`));
  for (const path of paths) mkdirSync(join(path, 'src', 'deep'), { recursive: true });
  const roots: readonly Root[] = parseRoots(paths).roots;
  const before = await heapAtRest();
  const watch = watchRoots(roots);
  await watch.ready;
  const after = await heapAtRest();
  const { directories } = watch;
  await watch.close();
  return [
    {
      name: `directories under watch for ${count.toLocaleString('en')} roots`,
      against: 'each root, its parent and what is above',
      ours: directories,
      theirs: count + 10 + directory.split('/').length,
      unit: 'requests',
      target: { kind: 'within', factor: 1 },
    },
    {
      name: `heap for watching ${count.toLocaleString('en')} roots`,
      against: '8 KiB a root',
      ours: after - before,
      theirs: count * 8 * 1024,
      unit: 'bytes',
      target: { kind: 'within', factor: 1 },
    },
  ];
}

async function heapAtRest(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 6; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().heapUsed;
}
