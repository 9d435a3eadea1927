import { fileURLToPath } from 'node:url';
import { openRedisStore } from '../src/sessions/redis/redis-store.ts';
import { openCluster } from '../test/support/redis/open-cluster.ts';
import { openCaller, runStorm, startIdleServer } from '../test/support/redis/storm.ts';
import { pinProcess } from './pin-process.ts';
import { startRedis } from './redis-process.ts';
import type { Measurement } from './suite.ts';

/** Milliseconds in which a call must be refused when the engine does not answer. */
const patience = 300;
const storms = 5;

/** What a node owes its sessions while many clients come at once, and while its engine stands still. */
export async function measureOutages(): Promise<readonly Measurement[]> {
  return [await measureStorm(), await measureStandstill()];
}

/**
 * How long the calls of an open session take while 1,500 clients come to its node, against the same while they come
 * to a process that does nothing: the clients cost the machine the same.
 */
async function measureStorm(): Promise<Measurement> {
  const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const clients = fileURLToPath(new URL('../../test/support/redis/storm-clients.mjs', import.meta.url));
  await using cluster = await openCluster({ nodes: 1, program });
  const [node] = cluster.nodes;
  if (node === undefined) throw new Error('No node was started');
  pinProcess(node.pid, 'measured');
  await using bystander = await startIdleServer();
  using caller = await openCaller(node);
  const waits: { readonly here: number[]; readonly elsewhere: number[] } = { here: [], elsewhere: [] };
  for (let round = 0; round < storms; round += 1) {
    waits.elsewhere.push(...(await caller.during(runStorm(bystander, clients))).waits);
    waits.here.push(...(await caller.during(runStorm(node, clients))).waits);
  }
  return {
    name: 'a call of an open session while 1,500 clients come to its node, p99',
    against: 'while they come to an idle server',
    ours: percentile(waits.here, 0.99) * 1e6,
    theirs: percentile(waits.elsewhere, 0.99) * 1e6,
    target: { kind: 'within', factor: 2 },
  };
}

/** How long a call waits for an engine whose time stands still, before it is refused: the slowest of many. */
async function measureStandstill(): Promise<Measurement> {
  await using redis = await startRedis();
  const store = await openRedisStore({ address: redis.address, secrets: [Buffer.alloc(32, 1)] });
  process.kill(redis.pid, 'SIGSTOP');
  const waits: number[] = [];
  for (let round = 0; round < 100; round += 1) {
    const begun = performance.now();
    const refused = await store.touch('unknown').then(
      () => false,
      () => true,
    );
    if (!refused) throw new Error('The engine answered although it stands still');
    waits.push(performance.now() - begun);
  }
  process.kill(redis.pid, 'SIGCONT');
  await store.close();
  return {
    name: 'a call is refused while the engine stands still, slowest of 100',
    against: `a budget of ${patience} ms`,
    ours: Math.max(...waits) * 1e6,
    theirs: patience * 1e6,
    target: { kind: 'within', factor: 1 },
  };
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
