/**
 * `npm run soak -- 10` runs nodes, a balancer and Redis for ten minutes, kills, stops and replaces them at
 * random, and checks every answer with a model that knows which ones are allowed: nothing lost, nothing stale,
 * nothing leaked. The seed is printed; `npm run soak -- 10 SEED` repeats the order of what is done.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Cluster, type Node, openCluster } from '../test/cluster/open-cluster.ts';
import { type ClientKind, connectClient, type TestClient } from '../test/http/clients.ts';

const [minutes = '10', seed = `${Date.now() % 1e6}`] = process.argv.slice(2);
const random = createRandom(Number(seed));
const until = performance.now() + Number(minutes) * 60_000;
const counts = new Map<string, number>();
const violations: string[] = [];

async function run(): Promise<void> {
  const program = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));
  const redis = ['--appendonly', 'yes', '--appendfsync', 'always'];
  await using cluster = await openCluster({ nodes: 3, program, redis });
  const kinds: readonly ClientKind[] = ['v2 in 2025', 'v1', 'v2 in 2025', 'v1'];
  const work = kinds.map((kind, index) => useClient(cluster, kind, `c${index}`));
  await Promise.all([...work, disturb(cluster)]);
}

/** One person: changes roots, calls, and compares what comes back with what may come back. */
async function useClient(cluster: Cluster, kind: ClientKind, own: string): Promise<void> {
  const places = ['red', 'green', 'blue'].map((colour) => `${own}-${colour}`);
  for (const place of places) mkdirSync(cluster.tree.at(place), { recursive: true });
  let now = places[0] ?? '';
  /** Roots that an answer may still name: more than one while it is unknown whether a change arrived. */
  let allowed = new Set([now]);
  const roots = () => [cluster.root(now)];
  await using client = await connectClient(kind, { url: cluster.balancer.url, roots });
  while (performance.now() < until) {
    if (random() < 0.3) {
      now = places[Math.floor(random() * places.length)] ?? now;
      const arrived = await client.rootsChanged().then(
        () => true,
        (error: unknown) => judgeError(own, error),
      );
      allowed = arrived ? new Set([now]) : allowed.add(now);
    }
    await callOnce(client, own, allowed);
  }
}

async function callOnce(client: TestClient, own: string, allowed: ReadonlySet<string>): Promise<void> {
  try {
    const text = await client.call('list_allowed_directories');
    const named = [...text.matchAll(/\/(c\d+-\w+)$/gm)].map(([, name]) => name ?? '');
    count('answered');
    if (named.some((name) => !name.startsWith(`${own}-`))) violations.push(`${own} was told ${named.join()}`);
    else if (named.length !== 1 || !allowed.has(named[0] ?? '')) {
      violations.push(
        `${own} was told ${named.join()} instead of ${[...allowed].join(' or ')}: ${text.slice(0, 200)}`,
      );
    }
  } catch (error) {
    judgeError(own, error);
    await pause(50);
  }
}

/** Errors that a client may see while things break; any other is a loss. */
const permitted = [
  /not completed|nobody knows/,
  /sessions cannot be reached/,
  /fetch failed|terminated|502|socket/i,
  /shutting down/,
  /roots kept changing|no answer within|the call ended/i,
];

function judgeError(own: string, error: unknown): false {
  const message = error instanceof Error ? error.message : String(error);
  const known = permitted.findIndex((pattern) => pattern.test(message));
  count(known === -1 ? 'error of another kind' : `error ${String(permitted[known])}`);
  if (known === -1) violations.push(`${own} met: ${message.slice(0, 300)}`);
  return false;
}

/** Every few seconds something else happens. */
async function disturb(cluster: Cluster): Promise<void> {
  while (performance.now() < until) {
    await pause(1_000 + random() * 3_000);
    const names = Object.keys(disturbances);
    const name = names[Math.floor(random() * names.length)] ?? '';
    count(`did: ${name}`);
    await disturbances[name]?.(cluster);
  }
}

const disturbances: Readonly<Record<string, (cluster: Cluster) => Promise<void>>> = {
  async 'kill a node'(cluster) {
    const node = anyNode(cluster);
    node.signal('SIGKILL');
    await replace(cluster, node);
  },
  async 'replace a node'(cluster) {
    const node = anyNode(cluster);
    await cluster.addNode();
    node.signal('SIGTERM');
    await pause(200);
    forget(cluster, node);
    await node.ended;
  },
  async 'stop a node for a while'(cluster) {
    const node = anyNode(cluster);
    node.signal('SIGSTOP');
    await pause(2_000);
    node.signal('SIGCONT');
  },
  async 'kill Redis'({ redis }) {
    await redis.kill();
    await pause(1_000);
    await redis.start();
  },
  async 'stop Redis for a while'({ redis }) {
    redis.pause();
    await pause(1_000);
    redis.resume();
  },
};

function anyNode({ nodes, balancer }: Cluster): Node {
  const living = nodes.filter((node) => balancer.targets.includes(node));
  const node = living[Math.floor(random() * living.length)];
  if (node === undefined) throw new Error('There is no node left');
  return node;
}

async function replace(cluster: Cluster, node: Node): Promise<void> {
  await node.ended;
  forget(cluster, node);
  await cluster.addNode();
}

function forget({ balancer: { targets } }: Cluster, node: Node): void {
  targets.splice(targets.indexOf(node), 1);
}

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The same numbers for the same seed. */
function createRandom(from: number): () => number {
  let state = from;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

// Last, because it needs all of the above.
console.log(`soak: ${minutes} minutes, seed ${seed}`);
await run();
console.table(Object.fromEntries([...counts].toSorted(([one], [other]) => one.localeCompare(other))));
for (const violation of violations.slice(0, 20)) console.error(`VIOLATION ${violation}`);
console.log(violations.length === 0 ? 'soak: nothing lost, nothing stale, nothing leaked' : 'soak: FAILED');
process.exitCode = violations.length === 0 ? 0 : 1;
