import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address behind which the engine can be exchanged, as with a failover. */
export interface RedisProxy extends AsyncDisposable {
  readonly address: string;
  /** Leads elsewhere from now on; who is connected is cut off. */
  turnTo(port: number): void;
  /** That many messages to subscribers do not arrive, as with one whose connection is just being renewed. */
  lose(count: number): void;
  /** How many of them were lost. */
  readonly lost: () => number;
}

export async function startRedisProxy(port: number): Promise<RedisProxy> {
  let target = port;
  let [losing, lost] = [0, 0];
  const sockets = new Set<Socket>();
  const isLost = (chunk: Buffer): boolean => {
    if (losing === 0 || !chunk.includes('message')) return false;
    losing -= 1;
    lost += 1;
    return true;
  };
  const server = createServer((client) => {
    const inner = connect(target, '127.0.0.1');
    for (const socket of [client, inner]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        inner.destroy();
      });
    }
    client.pipe(inner);
    inner.on('data', (chunk: Buffer) => isLost(chunk) || client.write(chunk));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turnTo(next) {
      target = next;
      cut();
    },
    lose(count) {
      losing = count;
    },
    lost: () => lost,
    async [Symbol.asyncDispose]() {
      server.close();
      cut();
    },
  };
}
