import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address behind which the engine can be exchanged, as with a failover. */
export interface RedisProxy extends AsyncDisposable {
  readonly address: string;
  /** Leads elsewhere from now on; who is connected is cut off. */
  turnTo(port: number): void;
}

export async function startRedisProxy(port: number): Promise<RedisProxy> {
  let target = port;
  const sockets = new Set<Socket>();
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
    client.pipe(inner).pipe(client);
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
    async [Symbol.asyncDispose]() {
      server.close();
      cut();
    },
  };
}
