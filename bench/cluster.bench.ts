import { randomUUID } from 'node:crypto';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EngineCommand } from '../src/sessions/engine.ts';
import { openRedisStore } from '../src/sessions/redis-store.ts';
import type { SessionStore } from '../src/sessions/session-store.ts';
import { type ContestantName, serveContestant } from './http-contestants.ts';
import { type LoadClient, openLoadClient } from './http-load.ts';
import type { Measurement, Suite } from './suite.ts';

/** What do sessions on Redis cost? Needs `redis-server`; it is started on a free port and stopped. */
export const clusterSuite: Suite = {
  name: 'cluster',
  async run() {
    await using redis = await startRedis();
    const results: Measurement[] = [];
    for (const sessions of [10, 100, 1_000]) results.push(await compareCalls(redis.port, sessions));
    results.push(...(await rootsFetch(redis.port)), ...(await idleSessions(redis)));
    return results;
  },
};

const rounds = 4;
const milliseconds = 500;

/** Calls per second on one node, against the SDK with its sessions in memory. */
async function compareCalls(redis: number, count: number): Promise<Measurement> {
  await using ours = await openContestant('ours-on-redis', redis, count);
  await using theirs = await openContestant('sdk-sessions', redis, count);
  const [mine, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < 1 + rounds; round += 1) {
    mine.push(await load(ours.clients));
    others.push(await load(theirs.clients));
  }
  return {
    name: `call on Redis, ${count} clients`,
    against: 'the SDK in memory',
    ours: median(mine.slice(1)),
    theirs: median(others.slice(1)),
    target: { kind: 'faster', factor: 1.5 },
  };
}

interface Contestant extends AsyncDisposable {
  readonly clients: readonly LoadClient[];
}

async function openContestant(name: ContestantName, redis: number, count: number): Promise<Contestant> {
  const module = new URL('http-contestants.js', import.meta.url);
  const program = `import('${module.href}').then((it) => it.${serveContestant.name}('${name}'))`;
  const child: ChildProcess = fork('--eval', [program], {
    cwd: fileURLToPath(new URL('.', module)),
    env: { ...process.env, BENCH_REDIS: `redis://127.0.0.1:${redis}` },
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const clients: LoadClient[] = [];
  for (let index = 0; index < count; index += 1) clients.push(await openLoadClient(port, '2025'));
  return {
    clients,
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close();
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** Nanoseconds per call, while each client calls again as soon as it has its answer. */
async function load(clients: readonly LoadClient[]): Promise<number> {
  const start = process.hrtime.bigint();
  const until = performance.now() + milliseconds;
  let calls = 0;
  await Promise.all(
    clients.map(async (client) => {
      do {
        await client.call();
        calls += 1;
      } while (performance.now() < until);
    }),
  );
  return Number(process.hrtime.bigint() - start) / calls;
}

/** What the engine does for one question to a client whose answer arrives at another node. */
async function rootsFetch(port: number): Promise<readonly Measurement[]> {
  const commands: EngineCommand[] = [];
  const observe = (command: EngineCommand): void => void commands.push(command);
  const [asking, other] = [await openStore(port, observe), await openStore(port, observe)];
  const id = await begin(asking);
  const spent: { readonly same: number[]; readonly cross: number[] } = { same: [], cross: [] };
  let most = 0;
  for (let round = 0; round < 600; round += 1) {
    const way = round % 2 === 0 ? 'same' : 'cross';
    commands.length = 0;
    spent[way].push(await fetchOnce(asking, way === 'same' ? asking : other, id));
    most = Math.max(most, commands.filter(({ name }) => name !== 'hold').length);
  }
  await Promise.all([asking.close(), other.close()]);
  return [
    {
      name: 'commands of a roots fetch across nodes',
      against: 'a budget of 3',
      ours: most,
      theirs: 3,
      unit: 'requests',
      target: { kind: 'within', factor: 1 },
    },
    {
      name: 'what another node adds to a roots fetch, p50',
      against: 'a budget of 2.5 ms',
      ours: Math.max(0, median(spent.cross) - median(spent.same)) * 1e6,
      theirs: 2.5e6,
      target: { kind: 'within', factor: 1 },
    },
  ];
}

/** Milliseconds: the call finds its session, the answer goes to who asked, and is kept. */
async function fetchOnce(asking: SessionStore, answered: SessionStore, id: string): Promise<number> {
  const begun = performance.now();
  await asking.touch(id);
  const arrived = new Promise<void>((resolve) => {
    asking.onDeliver(() => {
      resolve();
      return true;
    });
  });
  await answered.deliver(asking.nodeId, { session: id, principal: 'me', message: {} });
  await arrived;
  await asking.keepAnswer(id, 0, { state: 'empty', revoked: false });
  return performance.now() - begun;
}

/** Bytes of the engine and of two nodes for sessions that do nothing. */
async function idleSessions({ port, memory }: Redis): Promise<readonly Measurement[]> {
  const [one, other] = [await openStore(port), await openStore(port)];
  const count = 100_000;
  const heap = process.memoryUsage().heapUsed;
  const before = await memory();
  for (let begun = 0; begun < count; begun += 500) {
    await Promise.all(Array.from({ length: 500 }, (_, index) => begin(index % 2 === 0 ? one : other)));
  }
  const each = ((await memory()) - before) / count;
  globalThis.gc?.();
  const grown = Math.max(0, process.memoryUsage().heapUsed - heap) / count;
  await Promise.all([one.close(), other.close()]);
  const measured = { unit: 'bytes', target: { kind: 'within', factor: 1 } } as const;
  return [
    {
      name: 'engine, each of 100,000 idle sessions',
      against: '1 kB',
      ours: each,
      theirs: 1_000,
      ...measured,
    },
    {
      name: 'two nodes, each of 100,000 idle sessions',
      against: '1 KiB',
      ours: grown,
      theirs: 1_024,
      ...measured,
    },
  ];
}

function openStore(
  port: number,
  observe: (command: EngineCommand) => void = () => {},
): Promise<SessionStore> {
  const address = `redis://127.0.0.1:${port}`;
  return openRedisStore({ address, secrets: [Buffer.alloc(32, 1)], observe });
}

async function begin(store: SessionStore): Promise<string> {
  const id = randomUUID();
  const clientInfo = { name: 'bench', title: 'A client that is measured', version: '1.0.0' };
  const capabilities = { roots: { listChanged: true }, elicitation: {} };
  const initialize = { protocolVersion: '2025-11-25', clientInfo, capabilities };
  await store.create({ id, principal: 'me', protocolVersion: '2025-11-25', initialize });
  return id;
}

interface Redis extends AsyncDisposable {
  readonly port: number;
  readonly memory: () => Promise<number>;
}

async function startRedis(): Promise<Redis> {
  const directory = mkdtempSync(join(tmpdir(), 'rootward-bench-'));
  const port = await freePort();
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', directory];
  const child = spawn('redis-server', options, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (!(await ask(port, 'PING').catch(() => '')).includes('PONG')) {
    if (child.exitCode !== null) throw new Error('redis-server does not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    port,
    memory: async () => Number(/used_memory:(\d+)/.exec(await ask(port, 'INFO memory'))?.[1]),
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function ask(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(`${command}\r\nQUIT\r\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
