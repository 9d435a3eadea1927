import { describe, expect, test, vi } from 'vitest';
import { createTokenCheck } from '../../../src/http/exchange/admission.ts';
import type { Root } from '../../../src/path/root.ts';
import { readSealingKeys } from '../../../src/serve/open-sessions.ts';
import { openRedisStore } from '../../../src/sessions/redis/redis-store.ts';
import { token } from '../../support/http/open-endpoint.ts';
import { beginSession, call, initialize, send } from '../../support/http/raw.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { type Cluster, type Node, openCluster, sealingKey } from '../../support/redis/open-cluster.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 90_000 });

/** 100,000 are held by the benchmark. */
const count = 2_000;

describe.runIf(canRun('redis-server'))(`idle sessions${needs('redis-server')}`, () => {
  test('2,000 of them with roots cost the engine less than 1 kB each, and any of them is served by either node', async () => {
    await using cluster = await openCluster();
    const [one, other] = cluster.nodes as [Node, Node];
    await beginSession(one);
    const before = await usedMemory(cluster);
    // As nodes write them, but not through them: they let 200 in a second.
    const ids = await fill(cluster);
    const bytes = ((await usedMemory(cluster)) - before) / count;
    expect(bytes).toBeGreaterThan(200);
    expect(bytes).toBeLessThan(1_000);
    for (let number = 0; number < 50; number += 1) {
      const headers = { 'mcp-session-id': ids[(number * 499) % count] ?? '' };
      const node = number % 2 === 0 ? one : other;
      const response = await send(node, { headers, body: call(number, 'list_allowed_directories') });
      expect(response.status).toBe(200);
      expect(response.text).toContain('/app');
    }
  });
});

/** Many at a time, so that it takes seconds. */
async function fill(cluster: Cluster): Promise<readonly string[]> {
  const keys = await readSealingKeys({ sealingKey, sealingKeyFile: undefined });
  const secrets = keys.map(({ secret }) => secret);
  const store = await openRedisStore({ address: cluster.redis.address, secrets, patience: 30_000 });
  const principal = createTokenCheck([{ token }])(token) ?? '';
  const { uri, name } = cluster.root('app');
  const roots: Root[] = [{ uri, name, path: cluster.tree.at('app'), kind: 'directory' }];
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  const begin = async (id: string): Promise<void> => {
    const { params } = initialize;
    const { protocolVersion } = params;
    const record = await store.create({ id, principal, protocolVersion, initialize: params });
    if (record === undefined) throw new Error('There is no room for a session');
    const kept = await store.keepAnswer(id, record.generation, { state: 'listed', roots });
    if (!kept) throw new Error('An answer was not kept');
  };
  try {
    for (let from = 0; from < count; from += 1_000)
      await Promise.all(ids.slice(from, from + 1_000).map(begin));
  } finally {
    await store.close();
  }
  return ids;
}

async function usedMemory({ redis }: Cluster): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.command('INFO', 'memory'))?.[1]);
}
