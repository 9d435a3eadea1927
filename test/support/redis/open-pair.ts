import type { HttpOptions } from '../../../src/http/listen.ts';
import type { RedisStoreOptions } from '../../../src/sessions/redis/redis-names.ts';
import { openRedisStore } from '../../../src/sessions/redis/redis-store.ts';
import { openEndpoint, type TestEndpoint } from '../http/open-endpoint.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import type { SessionStore } from '../../../src/sessions/record/session-store.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** Two endpoints in this process that share sessions: for what cannot be seen from outside, or not be set. */
export interface Pair extends AsyncDisposable {
  readonly redis: RedisServer;
  /** The way of both to it. */
  readonly way: TcpProxy;
  readonly one: TestEndpoint;
  /** That of the first endpoint. */
  readonly store: SessionStore;
  readonly other: TestEndpoint;
}

export interface PairOptions {
  readonly endpoint?: Partial<HttpOptions>;
  readonly store?: Partial<RedisStoreOptions>;
}

export async function openPair({ endpoint, store }: PairOptions = {}): Promise<Pair> {
  const redis = await startRedis();
  const way = await startTcpProxy(redis.port);
  const closers: (() => PromiseLike<void>)[] = [
    () => redis[Symbol.asyncDispose](),
    () => way[Symbol.asyncDispose](),
  ];
  const open = async (): Promise<[TestEndpoint, SessionStore]> => {
    const secrets = [Buffer.alloc(32, 7)];
    const sessions = await openRedisStore({ address: way.address, secrets, ...store });
    const opened = await openEndpoint({ sessions, ...endpoint });
    closers.push(
      () => sessions.close(),
      () => opened.close(),
    );
    return [opened, sessions];
  };
  const [[one, first], [other]] = [await open(), await open()];
  return {
    redis,
    way,
    one,
    store: first,
    other,
    async [Symbol.asyncDispose]() {
      for (const close of closers.toReversed()) await close();
    },
  };
}
