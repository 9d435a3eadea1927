import { expect, test } from 'vitest';
import { startRedis } from '../../test/cluster/redis-server.ts';
import { canRun, needs } from '../../test/system-programs.ts';
import { parseRedisAddress } from './redis-address.ts';
import { loadRedisClient, openRedisLink } from './redis-link.ts';

test('a library that is not there is named, with what to do', async () => {
  const load = () => Promise.reject(new Error("Cannot find package '@redis/client'"));
  const opening = openRedisLink(parseRedisAddress('redis://127.0.0.1:1'), load);
  await expect(opening).rejects.toThrow('npm install @redis/client');
  await expect(opening).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
});

test.runIf(canRun('redis-server'))(
  `a wrong password is said, and not repeated${needs('redis-server')}`,
  async () => {
    await using redis = await startRedis();
    await redis.command('CONFIG', 'SET', 'requirepass', 'right');
    const open = (password: string) =>
      openRedisLink(parseRedisAddress(redis.address, password), loadRedisClient);
    await expect(open('wrong')).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
    await expect(open('wrong')).rejects.not.toThrow('wrong');
    const link = await open('right');
    expect(await link.send('x', ['PING'])).toBe('PONG');
    link.close();
  },
);
