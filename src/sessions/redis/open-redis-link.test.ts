import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { freePort, startRedis, startRedisAt } from '../../../test/support/redis/redis-server.ts';
import { startTcpProxy } from '../../../test/support/redis/tcp-proxy.ts';
import { canRun, needs } from '../../../test/support/processes/system-programs.ts';
import { parseRedisAddress } from './redis-address.ts';
import { loadRedisClient, openRedisLink } from './open-redis-link.ts';

test('a missing library is named, with the command that installs it', async () => {
  const load = () => Promise.reject(new Error("Cannot find package '@redis/client'"));
  const opening = openRedisLink(parseRedisAddress('redis://127.0.0.1:1'), load);
  await expect(opening).rejects.toThrow('npm install @redis/client');
  await expect(opening).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
});

test.runIf(canRun('redis-server'))(
  `a wrong password is reported, and not repeated${needs('redis-server')}`,
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

test.runIf(canRun('redis-server'))(
  `a server that refuses writes is left for the primary${needs('redis-server')}`,
  async () => {
    await using primary = await startRedis();
    await using other = await startRedis();
    await using proxy = await startTcpProxy(primary.port);
    const link = await openRedisLink(parseRedisAddress(proxy.address), loadRedisClient);
    const heard = vi.fn<(text: string) => void>();
    await link.subscribe('news', heard);
    // From now on the address leads to the other server, and the connection persists.
    await primary.command('REPLICAOF', '127.0.0.1', `${other.port}`);
    proxy.leadTo(other.port);
    await expect(link.send('k', ['SET', 'k', '1'])).rejects.toThrow('READONLY');
    await vi.waitFor(async () => expect(await link.send('k', ['SET', 'k', '1'])).toBe('OK'), 20_000);
    await vi.waitFor(async () => expect(await link.publish('news', 'again')).toBe(1), 20_000);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith('again', 'news'), 20_000);
    link.close();
  },
);

test.runIf(canRun('redis-server'))(
  `a silent part of a cluster is found again${needs('redis-server')}`,
  async () => {
    const port = await freePort();
    await using way = await startTcpProxy(port);
    const announced = ['--cluster-announce-ip', '127.0.0.1', '--cluster-announce-port', `${way.port}`];
    await using redis = await startRedisAt(port, '--cluster-enabled', 'yes', ...announced);
    await redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await vi.waitFor(
      async () => expect(await redis.command('CLUSTER', 'INFO')).toContain('state:ok'),
      10_000,
    );
    const link = await openRedisLink(
      parseRedisAddress(`redis+cluster://127.0.0.1:${way.port}`),
      loadRedisClient,
    );
    expect(await link.send('k', ['SET', 'k', '1'])).toBe('OK');
    // Open connections stay silent forever; new ones are served.
    way.freeze('old');
    const unheard = link.send('k', ['GET', 'k']);
    for (const line of link.lines()) line.renew();
    await expect(unheard).rejects.toThrow();
    await vi.waitFor(async () => expect(await link.send('k', ['GET', 'k'])).toBe('1'), 20_000);
    link.close();
  },
);

test.each(['rediss', 'rediss+cluster', 'rediss+sentinel'])(
  '%s speaks TLS from the first byte, and says why it could not',
  async (scheme) => {
    const first: number[] = [];
    const server = createServer((socket) => {
      socket
        .on('error', () => {})
        .once('data', (bytes) => {
          first.push(bytes[0] ?? 0);
          socket.end('-ERR this is no TLS\r\n');
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const name = scheme.endsWith('sentinel') ? '/main' : '';
    const address = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}${name}`;
    await expect(openRedisLink(parseRedisAddress(address), loadRedisClient)).rejects.toMatchObject({
      code: 'SESSIONS_UNAVAILABLE',
      data: { reason: expect.stringMatching(/\((?:EPROTO|ERR_SSL_\w+)\)/) },
    });
    expect(new Set(first)).toEqual(new Set([0x16]));
    server.close();
  },
  20_000,
);
