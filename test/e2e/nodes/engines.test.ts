import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { connectClient } from '../../support/http/clients.ts';
import { eventually } from '../../support/http/eventually.ts';
import { beginSession, call, send } from '../../support/http/raw.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { openCluster } from '../../support/redis/open-cluster.ts';
import { freePort, type RedisServer, startRedis } from '../../support/redis/redis-server.ts';
import { startSentinel } from '../../support/redis/start-sentinel.ts';

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
    // Each node finds the new primary by itself.
    await eventually(async () => {
      for (let round = 0; round < 4; round += 1) expect(await client.call(tool)).toContain('/app');
    });
    for (let round = 0; round < 4; round += 1) {
      await client.rootsChanged();
      expect(await client.call(tool)).toContain('/app');
    }
  });

  const openssl = spawnSync('openssl', ['version']).status === 0;
  describe.runIf(openssl)(`over TLS${openssl ? '' : ' (skipped: install openssl)'}`, () => {
    let engines: TlsEngines;
    beforeAll(async () => {
      engines = await startTlsEngines();
    });
    afterAll(() => engines[Symbol.asyncDispose]());

    test('one server, a cluster, and sentinels with what they name: stores that trust them share sessions', async () => {
      const { addresses, certificate } = engines;
      const used = await useStores(addresses, { NODE_EXTRA_CA_CERTS: certificate });
      expect(used).toEqual(addresses.map(() => ({ generation: 1, heard: 'hello' })));
    });

    test('a node serves, and one that trusts no certificate says why it does not', async () => {
      await using cluster = await openCluster({ nodes: 0, address: () => engines.addresses[0] });
      const node = cluster.addNode({ NODE_EXTRA_CA_CERTS: engines.certificate });
      await expect(cluster.addNode()).rejects.toThrow(/sessions.*(certificate|self.signed)/is);
      await beginSession(await node);
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

interface TlsEngines extends AsyncDisposable {
  readonly certificate: string;
  /** One server, a cluster, and the first one again as a sentinel names it. */
  readonly addresses: readonly [string, string, string];
}

/** Engines that speak TLS, with a certificate of their own making. */
async function startTlsEngines(): Promise<TlsEngines> {
  const tree = tempTree();
  const [key, certificate] = makeCertificate(tree);
  const [port, part, bus, watch] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const files = [`tls-cert-file ${certificate}`, `tls-key-file ${key}`, `tls-ca-cert-file ${certificate}`];
  const linesAt = (at: number): string[] => [`tls-port ${at}`, ...files, 'tls-auth-clients no'];
  const argumentsAt = (at: number): string[] => linesAt(at).flatMap((line) => `--${line}`.split(' '));
  const many = ['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--cluster-port', `${bus}`];
  const [single, cluster] = await Promise.all([
    startRedis(...argumentsAt(port)),
    startRedis(...argumentsAt(part), ...many),
  ]);
  const sentinel = await startSentinel(port, [...linesAt(watch), 'tls-replication yes']);
  await join([{ ...cluster, bus }]);
  return {
    certificate,
    addresses: [
      `rediss://127.0.0.1:${port}`,
      `rediss+cluster://127.0.0.1:${part}`,
      `rediss+sentinel://127.0.0.1:${watch}/mine`,
    ],
    async [Symbol.asyncDispose]() {
      for (const each of [sentinel, cluster, single]) await each[Symbol.asyncDispose]();
      tree[Symbol.dispose]();
    },
  };
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

/** What a process of its own saw at each of them: whom to trust is read when a process starts. */
async function useStores(addresses: readonly string[], env: Record<string, string>): Promise<unknown[]> {
  const program = fileURLToPath(new URL('../../support/redis/use-stores.mjs', import.meta.url));
  const options = { env: { PATH: process.env['PATH'], ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...addresses], options);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}
