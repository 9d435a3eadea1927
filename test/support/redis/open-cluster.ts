import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { token } from '../http/open-endpoint.ts';
import { serveCommand } from '../processes/command.ts';
import { type Balancer, startBalancer, type Target } from './balancer.ts';
import { type RedisServer, startServer } from './redis-server.ts';

/** A process of `rootward serve --http`. */
export interface Node extends Target {
  readonly pid: number;
  readonly isRunning: () => boolean;
  signal(name: NodeJS.Signals): void;
  /** Waits for its end. */
  readonly ended: Promise<unknown>;
  readonly stderr: () => string;
  /** What it wrote down, where it was started with `--debug`. */
  readonly log: () => string;
}

export interface Cluster extends AsyncDisposable {
  readonly redis: RedisServer;
  readonly balancer: Balancer;
  readonly nodes: readonly Node[];
  /** `app`, `lib` and `docs`, which clients may have as roots. */
  readonly tree: TempTree;
  root(name: string): { uri: string; name: string };
  /** Another node, which the balancer knows from then on. */
  addNode(env?: Readonly<Record<string, string>>): Promise<Node>;
  /** Another one for each that a test has ended, so that tests can share them. Those that run are returned. */
  refill(): Promise<readonly [Node, Node]>;
}

export interface ClusterOptions {
  readonly nodes?: number;
  /** Of the engine. */
  readonly redis?: readonly string[];
  /** Another program that speaks like it. */
  readonly engine?: string;
  /** Another address of it. */
  readonly address?: (redis: RedisServer) => string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Another build of the command. */
  readonly program?: string;
}

/** That all nodes share. */
export const sealingKey: string = 'k'.repeat(44);

/** Nodes, a balancer and an engine, all of them real and on this machine. */
export async function openCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const tree = tempTree(['app/a.txt = app', 'lib/a.txt = library', 'docs/a.txt = documents']);
  const redis = await startServer(options.engine ?? 'redis-server', options.redis ?? []);
  const balancer = await startBalancer();
  const nodes: Node[] = [];
  const homes: Disposable[] = [];
  const addNode = async (env: Readonly<Record<string, string>> = {}): Promise<Node> => {
    const address = options.address?.(redis) ?? redis.address;
    const args = [tree.path, '--http', '127.0.0.1:0', '--sessions', address];
    const command = serveCommand({
      args: [...args, '--host', `127.0.0.1:${balancer.port}`, ...(options.args ?? [])],
      env: { ROOTWARD_TOKEN: token, ROOTWARD_SEALING_KEY: sealingKey, ...options.env, ...env },
    });
    homes.push(command);
    const node = await startNode(command, options.program);
    nodes.push(node);
    balancer.targets.push(node);
    return node;
  };
  const refill = async (): Promise<readonly [Node, Node]> => {
    const lost = nodes.filter((node) => !node.isRunning());
    for (const node of lost) {
      nodes.splice(nodes.indexOf(node), 1);
      if (balancer.targets.includes(node)) balancer.targets.splice(balancer.targets.indexOf(node), 1);
    }
    await Promise.all(lost.map(() => addNode()));
    return nodes as unknown as readonly [Node, Node];
  };
  await Promise.all(Array.from({ length: options.nodes ?? 2 }, () => addNode()));
  return {
    redis,
    balancer,
    nodes,
    tree,
    root: (name) => ({ uri: `file://${tree.at(name)}`, name }),
    addNode,
    refill,
    async [Symbol.asyncDispose]() {
      for (const node of nodes) node.signal('SIGKILL');
      await Promise.all(nodes.map(({ ended }) => ended));
      await balancer[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
      for (const each of [...homes, tree]) each[Symbol.dispose]();
    },
  };
}

async function startNode(command: ReturnType<typeof serveCommand>, program?: string): Promise<Node> {
  const [usual = '', ...args] = command.args;
  const child = spawn(command.command, [program ?? usual, ...args], {
    cwd: command.cwd,
    env: { ...command.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let stderr = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      const [, found] = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(stderr) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
    void ended.then(() => reject(new Error(`A node did not start: ${stderr}`)));
  });
  return {
    port,
    pid: pidOf(child),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    ended,
    stderr: () => stderr,
    log() {
      const [, file] = /every step is written to (\S+)/.exec(stderr) ?? [];
      return file === undefined ? '' : readFileSync(file, 'utf8');
    },
    signal: (name) => void child.kill(name),
  };
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('A process without an id');
  return pid;
}
