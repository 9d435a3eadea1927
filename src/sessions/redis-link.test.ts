import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
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

test.runIf(canRun('redis-server'))(
  `who takes no writes is left for the one who does${needs('redis-server')}`,
  async () => {
    await using primary = await startRedis();
    await using other = await startRedis();
    await using proxy = await startDoor(primary.port);
    const link = await openRedisLink(parseRedisAddress(proxy.address), loadRedisClient);
    const heard = vi.fn<(text: string) => void>();
    await link.subscribe('news', heard);
    // The address leads to the other one from now on, and the connection lasts.
    await primary.command('REPLICAOF', '127.0.0.1', `${other.port}`);
    proxy.leadTo(other.port);
    await expect(link.send('k', ['SET', 'k', '1'])).rejects.toThrow('READONLY');
    await vi.waitFor(async () => expect(await link.send('k', ['SET', 'k', '1'])).toBe('OK'), 5_000);
    await vi.waitFor(async () => expect(await link.publish('news', 'again')).toBe(1), 5_000);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith('again', 'news'));
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

/** An address that leads elsewhere for who connects anew; who is connected stays. */
async function startDoor(
  port: number,
): Promise<AsyncDisposable & { address: string; leadTo(port: number): void }> {
  let target = port;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const inner = connect(target, '127.0.0.1');
    for (const socket of [client, inner]) sockets.add(socket.on('error', () => {}));
    client.pipe(inner).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(next) {
      target = next;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
