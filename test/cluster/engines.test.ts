import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { type TempTree, tempTree } from '../../src/testing/index.ts';
import { connectClient } from '../http/clients.ts';
import { eventually } from '../http/eventually.ts';
import { beginSession, call, send } from '../http/raw.ts';
import { canRun, needs } from '../system-programs.ts';
import { type Cluster, type ClusterOptions, openCluster } from './open-cluster.ts';
import { freePort, type RedisServer, startRedis } from './redis-server.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 90_000 });

const tool = 'list_allowed_directories';

describe.runIf(canRun('redis-server'))(`engines of other kinds${needs('redis-server')}`, () => {
  test('a cluster with three parts: sessions and nodes are spread over them, and answers find their way', async () => {
    const parts = await Promise.all([startPart(), startPart(), startPart()]);
    try {
      await join(parts);
      const address = `redis+cluster://${parts.map(({ port }) => `127.0.0.1:${port}`).join()}`;
      await using cluster = await openCluster({ address: () => address, nodes: 3 });
      const roots = () => [cluster.root('app')];
      const clients = await Promise.all(
        Array.from({ length: 12 }, () => connectClient('v2 in 2025', { url: cluster.balancer.url, roots })),
      );
      for (const client of clients) {
        for (let round = 0; round < 3; round += 1) expect(await client.call(tool)).toContain('/app');
        await client.rootsChanged();
        expect(await client.call(tool)).toContain('/app');
        expect(client.asked()).toBe(2);
      }
      const sizes = await Promise.all(parts.map((part) => part.command('DBSIZE')));
      expect(sizes.every((size) => Number(size.slice(1)) > 0)).toBe(true);
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
    } finally {
      await Promise.all(parts.map((part) => part[Symbol.asyncDispose]()));
    }
  });

  test('sentinel: a replica takes over when the primary is killed, and sessions go on', async () => {
    await using primary = await startRedis();
    await using replica = await startRedis('--replicaof', '127.0.0.1', `${primary.port}`);
    await using sentinel = await startSentinel(primary.port);
    await using cluster = await openCluster({ address: () => sentinel.address });
    const roots = () => [cluster.root('app')];
    await using client = await connectClient('v2 in 2025', { url: cluster.balancer.url, roots });
    expect(await client.call(tool)).toContain('/app');
    const key = `rw:{${client.sessionId()}}`;
    await eventually(async () => expect(await replica.command('EXISTS', key)).toBe(':1'));
    await eventually(async () => expect(await sentinel.replicas()).toBe(1));
    await primary.kill();
    const session = { 'mcp-session-id': client.sessionId() ?? '' };
    const refused = await send(cluster.balancer, { headers: session, body: call('away', 'no-such-tool') });
    expect(refused.status).toBe(503);
    await eventually(async () => expect(await client.call(tool)).toContain('/app'));
    for (let round = 0; round < 4; round += 1) {
      await client.rootsChanged();
      expect(await client.call(tool)).toContain('/app');
    }
  });

  describe.runIf(hasOpenssl())(`over TLS${hasOpenssl() ? '' : ' (skipped: install openssl)'}`, () => {
    test.each(['single', 'cluster'] as const)(
      '%s: serves who trusts its certificate',
      async (kind) => {
        using tree = tempTree();
        await using cluster = await openTls(tree, kind);
        await Promise.all([cluster.addNode(), cluster.addNode()]);
        const roots = () => [cluster.root('app')];
        await using client = await connectClient('v1', { url: cluster.balancer.url, roots });
        for (let round = 0; round < 4; round += 1) expect(await client.call(tool)).toContain('/app');
        expect(client.asked()).toBe(1);
      },
      60_000,
    );

    test('a certificate that nobody vouches for is refused, and the message says so', async () => {
      using tree = tempTree();
      await using cluster = await openTls(tree, 'single');
      await expect(cluster.addNode({ NODE_EXTRA_CA_CERTS: '' })).rejects.toThrow(
        /sessions.*(certificate|self.signed)/is,
      );
    });
  });

  const valkey = spawnSync('valkey-server', ['--version']).status === 0;
  test.runIf(valkey)(
    `Valkey serves like Redis${valkey ? '' : ' (skipped: install valkey-server, which Debian has from 13 on)'}`,
    async () => {
      await using cluster = await openCluster({ engine: 'valkey-server' });
      const roots = () => [cluster.root('app')];
      await using client = await connectClient('v2 in 2025', { url: cluster.balancer.url, roots });
      for (let round = 0; round < 4; round += 1) expect(await client.call(tool)).toContain('/app');
      expect(client.asked()).toBe(1);
      await cluster.redis.kill();
      await cluster.redis.start();
      await eventually(() => beginSession(cluster.balancer));
    },
  );
});

async function startPart(): Promise<RedisServer & { readonly bus: number }> {
  const bus = await freePort();
  return { ...(await startRedis('--cluster-enabled', 'yes', '--cluster-port', `${bus}`)), bus };
}

/** Makes one cluster of them, with the same share for each. */
async function join(parts: readonly (RedisServer & { readonly bus: number })[]): Promise<void> {
  const share = Math.ceil(16_384 / parts.length);
  for (const [index, part] of parts.entries()) {
    const last = Math.min((index + 1) * share, 16_384) - 1;
    await part.command('CLUSTER', 'ADDSLOTSRANGE', `${index * share}`, `${last}`);
    const [first] = parts;
    if (first !== undefined && part !== first)
      await part.command('CLUSTER', 'MEET', '127.0.0.1', `${first.port}`, `${first.bus}`);
  }
  await eventually(async () => {
    for (const part of parts) {
      const known = await part.command('CLUSTER', 'INFO');
      expect(known).toContain('cluster_state:ok');
      expect(known).toContain(`cluster_size:${parts.length}`);
    }
  });
}

interface Sentinel extends AsyncDisposable {
  readonly address: string;
  /** How many it could make primary. */
  replicas(): Promise<number>;
}

async function startSentinel(watched: number): Promise<Sentinel> {
  const port = await freePort();
  const tree = tempTree([
    `sentinel.conf = ${[
      `port ${port}`,
      'bind 127.0.0.1',
      `sentinel monitor mine 127.0.0.1 ${watched} 1`,
      'sentinel down-after-milliseconds mine 1000',
      'sentinel failover-timeout mine 3000',
    ].join('\n')}\n`,
  ]);
  const args = [tree.at('sentinel.conf'), '--sentinel'];
  const child = spawn('redis-server', args, { cwd: tree.path, stdio: 'ignore' });
  const gone = once(child, 'exit');
  return {
    address: `redis+sentinel://127.0.0.1:${port}/mine`,
    async replicas() {
      const { stdout } = spawnSync('redis-cli', ['-p', `${port}`, 'SENTINEL', 'REPLICAS', 'mine']);
      return String(stdout).match(/^master-link-status\nok$/gm)?.length ?? 0;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
      tree[Symbol.dispose]();
    },
  };
}

/** An engine that speaks TLS only, with a certificate of its own making, and no nodes so far. */
async function openTls(tree: TempTree, kind: 'single' | 'cluster'): Promise<Cluster> {
  const [key, certificate] = makeCertificate(tree);
  const port = await freePort();
  const tls = ['--tls-port', `${port}`, '--tls-cert-file', certificate, '--tls-key-file', key];
  const trust = ['--tls-ca-cert-file', certificate, '--tls-auth-clients', 'no'];
  const many = ['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--cluster-port', `${await freePort()}`];
  const options: ClusterOptions = {
    nodes: 0,
    redis: [...tls, ...trust, ...(kind === 'cluster' ? many : [])],
    address: () => `${kind === 'cluster' ? 'rediss+cluster' : 'rediss'}://127.0.0.1:${port}`,
    env: { NODE_EXTRA_CA_CERTS: certificate },
  };
  const cluster = await openCluster(options);
  if (kind === 'single') return cluster;
  await cluster.redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await eventually(async () => expect(await cluster.redis.command('CLUSTER', 'INFO')).toContain('state:ok'));
  return cluster;
}

function makeCertificate(tree: TempTree): [key: string, certificate: string] {
  const [key, certificate] = [tree.at('key.pem'), tree.at('certificate.pem')];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  return [key, certificate];
}

function hasOpenssl(): boolean {
  return spawnSync('openssl', ['version']).status === 0;
}
