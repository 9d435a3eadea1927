import { describe, expect, test, vi } from 'vitest';
import { startRedis } from '../../../test/support/redis/redis-server.ts';
import { startSentinel } from '../../../test/support/redis/start-sentinel.ts';
import { startTcpProxy } from '../../../test/support/redis/tcp-proxy.ts';
import { canRun, needs } from '../../../test/support/processes/system-programs.ts';
import { loadRedisClient } from './open-redis-link.ts';
import { openSentinelLink } from './open-sentinel-link.ts';
import { parseRedisAddress, type RedisAddress } from './redis-address.ts';

const open = async (address: string) =>
  openSentinelLink(
    await loadRedisClient(),
    parseRedisAddress(address) as RedisAddress & { kind: 'sentinel' },
  );

describe.runIf(canRun('redis-server'))(`a primary that a sentinel names${needs('redis-server')}`, () => {
  test('takes commands and carries messages, also after its connections fell silent and were renewed', async () => {
    await using redis = await startRedis();
    await using way = await startTcpProxy(redis.port);
    await using sentinel = await startSentinel(way.port);
    const link = await open(sentinel.address);
    const heard = vi.fn<(text: string) => void>();
    await link.subscribe('news', heard);
    expect(await link.publish('news', 'first')).toBe(1);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce(), 20_000);
    // Open connections stay silent forever; new ones are served.
    way.freeze('old');
    const [line] = link.lines();
    const silent = vi.fn<() => void>();
    void line?.ping().then(silent, silent);
    await line?.renew();
    await vi.waitFor(() => expect(silent).toHaveBeenCalledOnce(), 20_000);
    await vi.waitFor(async () => expect(await line?.ping()).toBe('PONG'), 20_000);
    expect(await link.send('k', ['SET', 'k', '1'])).toBe('OK');
    await vi.waitFor(async () => expect(await link.publish('news', 'second')).toBe(1), 20_000);
    await vi.waitFor(
      () => expect(heard.mock.calls.map(([text]) => text)).toEqual(['first', 'second']),
      20_000,
    );
    link.close();
  });
});
