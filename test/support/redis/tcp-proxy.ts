import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server, on which a network does what networks do. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** The same as an address of Redis. */
  readonly address: string;
  /** Leads elsewhere from now on; who is connected stays. */
  leadTo(port: number): void;
  /** The same, and who is connected is cut off. */
  turnTo(port: number): void;
  /** That many messages to subscribers do not arrive, as with one whose connection is just being renewed. */
  lose(count: number): void;
  /** How many of them were lost. */
  readonly lost: () => number;
  /**
   * Nothing arrives any more in either direction, and neither side is told: no end, no reset, as with a machine that
   * lost its power. Who connects from now on meets the same silence, unless it is a matter of old connections.
   */
  freeze(which?: 'all' | 'old'): void;
  /** As if nothing had been: what was under way arrives now. */
  thaw(): void;
  /** What comes back comes byte by byte, each after that many milliseconds; as fast as it can with 0. */
  trickle(milliseconds: number): void;
}

interface Connection {
  readonly sockets: readonly [Socket, Socket];
  frozen: boolean;
}

export async function startTcpProxy(port: number): Promise<TcpProxy> {
  const state = { target: port, losing: 0, lost: 0, pace: 0, frozen: false };
  const connections = new Set<Connection>();
  const isLost = (chunk: Buffer): boolean => {
    if (state.losing === 0 || !chunk.includes('message')) return false;
    state.losing -= 1;
    state.lost += 1;
    return true;
  };
  const server = createServer((client) => {
    const inner = connect(state.target, '127.0.0.1');
    const connection: Connection = { sockets: [client, inner], frozen: state.frozen };
    connections.add(connection);
    const isFrozen = (): boolean => connection.frozen;
    inner.on('error', () => {}).once('close', () => isFrozen() || client.destroy());
    client
      .on('error', () => {})
      .once('close', () => {
        connections.delete(connection);
        inner.destroy();
      });
    forward(client, inner, { isFrozen, isLost: () => false, pace: () => 0 });
    forward(inner, client, { isFrozen, isLost, pace: () => state.pace });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const { sockets } of connections) for (const socket of sockets) socket.destroy();
  };
  const { port: own } = server.address() as AddressInfo;
  return {
    port: own,
    address: `redis://127.0.0.1:${own}`,
    leadTo(next) {
      state.target = next;
    },
    turnTo(next) {
      state.target = next;
      cut();
    },
    lose(count) {
      state.losing = count;
    },
    lost: () => state.lost,
    freeze(which = 'all') {
      state.frozen = which === 'all';
      for (const connection of connections) connection.frozen = true;
    },
    thaw() {
      state.frozen = false;
      for (const connection of connections) connection.frozen = false;
    },
    trickle(milliseconds) {
      state.pace = milliseconds;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      cut();
    },
  };
}

interface Way {
  readonly isFrozen: () => boolean;
  readonly isLost: (chunk: Buffer) => boolean;
  /** Milliseconds for each byte. */
  readonly pace: () => number;
}

/** How often a way that is frozen is looked at. */
const look = 10;

function forward(from: Socket, to: Socket, { isFrozen, isLost, pace }: Way): void {
  const pass = async (): Promise<void> => {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      while (isFrozen() && !to.destroyed) await after(look);
      if (isLost(chunk)) continue;
      const step = pace() === 0 ? chunk.length : 1;
      for (let at = 0; at < chunk.length; at += step) {
        to.write(chunk.subarray(at, at + step));
        if (pace() > 0) await after(pace());
      }
    }
  };
  pass().catch(() => {});
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());
}
