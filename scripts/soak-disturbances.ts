import { setTimeout } from 'node:timers/promises';
import type { Cluster, Node } from '../test/support/redis/open-cluster.ts';

interface Disturbance {
  readonly name: string;
  /** Whether clients may notice. */
  readonly breaks: boolean;
  run(cluster: Cluster, random: () => number): Promise<void>;
}

/** What may happen to nodes and their engine. */
export const disturbances: readonly [Disturbance, ...Disturbance[]] = [
  {
    name: 'kill a node',
    breaks: true,
    async run(cluster, random) {
      const node = anyNode(cluster, random);
      node.signal('SIGKILL');
      await node.ended;
      forget(cluster, node);
      await cluster.addNode();
    },
  },
  {
    name: 'replace a node, which no client notices',
    breaks: false,
    async run(cluster, random) {
      const node = anyNode(cluster, random);
      await cluster.addNode();
      node.signal('SIGTERM');
      await setTimeout(200);
      forget(cluster, node);
      await node.ended;
    },
  },
  {
    name: 'stop a node for a while',
    breaks: true,
    async run(cluster, random) {
      const node = anyNode(cluster, random);
      node.signal('SIGSTOP');
      await setTimeout(500 + random() * 2_500);
      node.signal('SIGCONT');
    },
  },
  {
    name: 'kill Redis',
    breaks: true,
    async run({ redis }, random) {
      await redis.kill();
      await setTimeout(random() * 2_000);
      await redis.start();
    },
  },
  {
    name: 'stop Redis for a while',
    breaks: true,
    async run({ redis }, random) {
      redis.pause();
      await setTimeout(random() * 2_000);
      redis.resume();
    },
  },
];

function anyNode({ nodes, balancer }: Cluster, random: () => number): Node {
  const living = nodes.filter((node) => balancer.targets.includes(node));
  const node = living[Math.floor(random() * living.length)];
  if (node === undefined) throw new Error('There is no node left');
  return node;
}

function forget({ balancer: { targets } }: Cluster, node: Node): void {
  targets.splice(targets.indexOf(node), 1);
}
