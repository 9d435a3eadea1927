import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { tempTree } from '../../../src/testing/index.ts';
import { connectClient } from '../../support/http/clients.ts';
import { eventually } from '../../support/http/eventually.ts';
import { beginSession, call, openSocket, send } from '../../support/http/raw.ts';
import { token } from '../../support/http/open-endpoint.ts';
import { childrenOf } from '../../support/processes/children-of.ts';
import { serveCommand } from '../../support/processes/command.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { timed } from '../../support/redis/gate.ts';
import { type Cluster, type Node, openCluster } from '../../support/redis/open-cluster.ts';
import { freePort, startRedis } from '../../support/redis/redis-server.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 90_000 });

const tool = 'list_allowed_directories';
const key = { ROOTWARD_SEALING_KEY: 'k'.repeat(44) };

describe.runIf(canRun('redis-server'))(
  `several processes of one command (--workers)${needs('redis-server')}`,
  () => {
    test.each([
      ['Redis is away', { ...key, ROOTWARD_TOKEN: token }, [], 'no connection|no server answers'],
      ['there is no sealing key', { ROOTWARD_TOKEN: token }, [], '--sealing-key-file'],
      ['the token cannot be read', key, ['--token-file', '/nowhere/token'], '--token-file'],
    ])('a start at which %s ends soon, and says why once', async (title, env, more, said) => {
      await using redis = await startRedis();
      const address = title === 'Redis is away' ? `redis://127.0.0.1:${await freePort()}` : redis.address;
      using tree = tempTree();
      const args = [tree.path, '--http', ':0', '--workers', '2', '--sessions', address, ...more];
      using command = serveCommand({ args, env });
      const child = spawn(command.command, command.args, { cwd: '/', env: { ...command.env } });
      let stderr = '';
      child.stderr.on('data', (chunk) => (stderr += String(chunk)));
      const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(45_000) });
      expect(code).toBeGreaterThan(0);
      expect(stderr.match(new RegExp(said, 'g'))).toHaveLength(1);
      expect(stderr).toContain('--workers');
      expect(stderr).not.toContain('listening');
    });

    test('F22: a process refuses to start with the id of another one, and takes it when that one is gone', async () => {
      await using redis = await startRedis();
      const program = fileURLToPath(new URL('../../support/redis/take-node-id.mjs', import.meta.url));
      const start = () => spawn(process.execPath, [program, redis.address, 'the-same-for-both']);
      const first = start();
      expect(String(await once(first.stdout, 'data'))).toBe('opened\n');
      const second = start();
      const refused = once(second, 'exit');
      expect(String(await once(second.stdout, 'data'))).toContain('another process has the id of this node');
      expect(await refused).toEqual([3, null]);
      const gone = once(first, 'exit');
      first.kill('SIGKILL');
      await gone;
      const third = await eventually(async () => {
        const child = start();
        expect(String(await once(child.stdout, 'data'))).toBe('opened\n');
        return child;
      });
      third.kill('SIGKILL');
    });

    // Each goes on where the one before has ended.
    describe('from the start of a pool to its end', { shuffle: false }, () => {
      const pool = openPool();

      test('F22: each is a node of its own, and serves with the others', async () => {
        const { cluster } = pool;
        expect(await leases(cluster)).toBe(2);
        const roots = () => [cluster.root('app')];
        await using client = await connectClient('v2 in 2025', { url: cluster.balancer.url, roots });
        for (let round = 0; round < 6; round += 1) expect(await client.call(tool)).toContain('/app');
        expect(client.asked()).toBe(1);
      });

      test('a connection that was given to a process which dies is closed, and no client hangs', async () => {
        const { primary } = pool;
        const [stopped = 0] = workersOf(primary);
        process.kill(stopped, 'SIGSTOP');
        // They are handed out in turns: some of them to the one that stands still.
        const outcomes: string[] = [];
        const sockets = await Promise.all(Array.from({ length: 4 }, () => openSocket(primary)));
        for (const socket of sockets) {
          socket.once('data', () => outcomes.push('answered')).once('close', () => outcomes.push('closed'));
          socket.write(`GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${primary.port}\r\n\r\n`);
        }
        await eventually(() => expect(outcomes).toHaveLength(3));
        expect(outcomes).toEqual(['answered', 'answered', 'answered']);
        process.kill(stopped, 'SIGKILL');
        await eventually(() => expect(outcomes).toHaveLength(4));
        expect(outcomes.at(-1)).toBe('closed');
        for (const socket of sockets) socket.destroy();
      });

      test('F22: it is replaced by a node of its own', async () => {
        const { cluster, primary } = pool;
        await eventually(() => expect(workersOf(primary)).toHaveLength(2));
        await eventually(async () => expect(await leases(cluster)).toBe(2));
        expect(primary.stderr()).toContain('a process ended (SIGKILL); the next one starts in 0.5 s');
        await beginSession(primary);
      });

      test('all that are lost at once are replaced, on the same port', async () => {
        const { primary } = pool;
        const lost = workersOf(primary);
        expect(lost).toHaveLength(2);
        for (const worker of lost) process.kill(worker, 'SIGKILL');
        await eventually(async () => {
          expect(workersOf(primary).filter((pid) => !lost.includes(pid))).toHaveLength(2);
          await beginSession(primary);
        });
      });

      test('a signal to all of them at once, as of Ctrl-C, cuts no call, and nothing is left of them', async () => {
        const { cluster, primary } = pool;
        await eventually(async () => expect(await leases(cluster)).toBe(2));
        const roots = () => [cluster.root('app')];
        await using client = await connectClient('v2 in 2025', { url: cluster.balancer.url, roots });
        await client.call(tool);
        const long = client.call('shell', { command: 'touch begun; sleep 2; echo done' });
        await eventually(() => expect(existsSync(cluster.tree.at('app', 'begun'))).toBe(true));
        for (const pid of [...workersOf(primary), primary.pid]) process.kill(pid, 'SIGINT');
        expect(await long).toContain('done');
        expect(await primary.ended).toEqual([0, null]);
        expect(await leases(cluster)).toBe(0);
      });
    });

    describe('from a loss of Redis to the end of a pool', { shuffle: false }, () => {
      const pool = openPool();

      test('a replacement that cannot start is followed by another, until Redis is back', async () => {
        const { cluster, primary } = pool;
        await cluster.redis.kill();
        const [lost = 0, left] = workersOf(primary);
        process.kill(lost, 'SIGKILL');
        await eventually(() => {
          expect(primary.stderr()).toContain('a process ended (code 3); the next one starts in 1 s');
        });
        await cluster.redis.start();
        await eventually(async () => {
          expect(workersOf(primary)).toHaveLength(2);
          expect(await leases(cluster)).toBe(2);
        });
        expect(workersOf(primary)).toContain(left);
      });

      test('a second Ctrl-C ends them at once', async () => {
        const { primary } = pool;
        const workers = workersOf(primary);
        const headers = await eventually(() => beginSession(primary, { version: '2025-06-18' }));
        const long = timed(send(primary, { headers, body: call(1, 'shell', { command: 'sleep 30' }) }));
        primary.signal('SIGINT');
        await eventually(() => expect(primary.stderr()).toContain('finishing'));
        primary.signal('SIGINT');
        expect(await primary.ended).toEqual([null, 'SIGINT']);
        await eventually(() => expect(workers.filter(isRunning)).toEqual([]));
        expect((await long).error).toBeDefined();
      });
    });
  },
);

interface CrewInUse {
  readonly cluster: Cluster;
  /** The process that started the others. */
  readonly primary: Node;
}

/** Two processes of one command, for the tests of a `describe`. */
function openPool(): CrewInUse {
  const args = ['--workers', '2', '--allow', 'execute,remove', '--allow-unconfined-shell'];
  let cluster: Cluster | undefined;
  beforeAll(async () => {
    cluster = await openCluster({ nodes: 1, args });
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());
  return {
    get cluster() {
      return cluster as Cluster;
    },
    get primary() {
      return this.cluster.nodes[0] as Node;
    },
  };
}

async function leases({ redis }: Cluster): Promise<number> {
  return (await redis.command('KEYS', 'rw:*lease')).match(/lease/g)?.length ?? 0;
}

function workersOf({ pid }: Node): readonly number[] {
  return childrenOf(pid).map((line) => Number.parseInt(line, 10));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
