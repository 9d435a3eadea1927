import { isObject } from '../../base/fields.ts';
import type { HttpConnection, ServerLike } from '../../http/exchange/server-like.ts';
import type { ReadyServer } from './kit.ts';

/** Lends servers to HTTP requests. */
export interface ServerPool {
  /** Returns a server for one request; closing it gives it back. */
  take(connection: HttpConnection): ServerLike;
  close(): Promise<void>;
}

/** Builds a server. `current` returns the connection that it serves now. */
export type BuildServer = (era: HttpConnection['era'], current: () => HttpConnection) => ReadyServer;

/** Limit of servers that wait for a request. */
const mostIdle = 64;

interface PooledServer extends ReadyServer {
  readonly era: HttpConnection['era'];
  current: HttpConnection;
  /** The `initialize` that it has seen last, as text. */
  introduction: string | undefined;
}

/**
 * Creates a pool. Building a server takes longer than most calls, so a server that has answered its request serves
 * another one afterwards. If a call is still running when its request ends, the server is closed instead: whatever
 * that call does later must not meet another client.
 */
export function createServerPool(build: BuildServer): ServerPool {
  const idle: PooledServer[] = [];
  const textOf = createTexts();
  let closed = false;
  const open = (connection: HttpConnection): PooledServer => {
    const { era } = connection;
    const pooled: PooledServer = {
      ...build(era, () => pooled.current),
      era,
      current: connection,
      introduction: undefined,
    };
    return pooled;
  };
  const find = (era: HttpConnection['era'], introduction: string | undefined): PooledServer | undefined => {
    const known = idle.findLastIndex((one) => one.era === era && one.introduction === introduction);
    const index = known < 0 ? idle.findLastIndex((one) => one.era === era) : known;
    return index < 0 ? undefined : idle.splice(index, 1)[0];
  };
  const giveBack = async (pooled: PooledServer): Promise<void> => {
    await pooled.server.close();
    if (closed || !pooled.isIdle() || idle.length >= mostIdle) await pooled.rootward.close();
    else idle.push(pooled);
  };
  return {
    take(connection) {
      const { era, memory } = connection;
      const introduction = era === 'legacy' ? textOf(memory.current().initialize) : undefined;
      const pooled = find(era, introduction) ?? open(connection);
      pooled.current = connection;
      let given = false;
      const lent: ServerLike = {
        isInitialized: introduction !== undefined && pooled.introduction === introduction,
        connect: (transport) => pooled.server.connect(transport),
        async close() {
          if (given) return;
          given = true;
          pooled.introduction = lent.isInitialized === true ? introduction : undefined;
          await giveBack(pooled);
        },
      };
      return lent;
    },
    async close() {
      closed = true;
      await Promise.all(idle.splice(0).map(({ rootward }) => rootward.close()));
    },
  };
}

/** Sessions keep the parameters of their `initialize`, so the text of each is made once. */
function createTexts(): (params: unknown) => string | undefined {
  const texts = new WeakMap<object, string>();
  return (params) => {
    if (!isObject(params)) return undefined;
    const text = texts.get(params) ?? JSON.stringify(params);
    texts.set(params, text);
    return text;
  };
}
