import { expect, test, vi } from 'vitest';
import type { RedisEngine } from './engine.ts';
import { openNodeLease } from './node-lease.ts';

/** An engine with one lease, which a test may take away or silence. */
function newEngine(): { engine: RedisEngine; state: { holder?: string | undefined; away: boolean } } {
  const state: { holder?: string | undefined; away: boolean } = { away: false };
  const run = async (
    name: string,
    _keys: readonly string[],
    [holder]: readonly string[],
  ): Promise<number> => {
    if (state.away) throw new Error('away');
    if (state.holder !== undefined && state.holder !== holder) return 0;
    if (name === 'hold') state.holder = holder;
    else delete state.holder;
    return 1;
  };
  return { engine: { run } as unknown as RedisEngine, state };
}

test('one process holds a node id until it releases it', async () => {
  const { engine } = newEngine();
  const lease = await openNodeLease({ engine, key: 'n', life: 30 });
  await expect(openNodeLease({ engine, key: 'n', life: 30 })).rejects.toThrow('another process');
  await lease.close();
  expect(lease.held()).toBe(false);
  await (await openNodeLease({ engine, key: 'n', life: 30 })).close();
});

test('a lease that was lost is taken again', async () => {
  const { engine, state } = newEngine();
  const lease = await openNodeLease({ engine, key: 'n', life: 30 });
  state.away = true;
  await vi.waitFor(() => expect(lease.held()).toBe(false), 20_000);
  delete state.holder;
  state.away = false;
  await vi.waitFor(() => expect(lease.held()).toBe(true), 20_000);
  await lease.close();
});
