import { type ConnectionMemory, createMemory } from './connection-memory.ts';

export interface ConnectionStoreOptions {
  /** Forget a session that was not heard of for this long, in milliseconds; an hour by default. */
  readonly idle?: number;
  /** Sessions at a time; the one that was silent for longest goes first. 10,000 by default. */
  readonly most?: number;
  /** Milliseconds; of the process by default. */
  readonly now?: () => number;
}

/** What sessions remember, outside of the servers that are built for their requests. */
export interface ConnectionStore {
  /** Pass this to `attach` as `memory`. A connection without a session keeps what it remembers to itself. */
  readonly memory: (sessionId: string | undefined) => ConnectionMemory | undefined;
  forget(sessionId: string): void;
  readonly size: number;
}

/**
 * Keeps what each HTTP session remembers, for servers that are built anew for every request. Sessions that
 * vanish without a word are forgotten after a while; no timer is needed for that.
 *
 * @example
 * ```ts
 * const store = createConnectionStore();
 * await store.memory('session-1')?.keepSwitched({ text: 'app' });
 * store.memory('session-1')?.current().switched // → { text: 'app' }
 * store.forget('session-1');
 * store.size // → 0
 * ```
 */
export function createConnectionStore(options: ConnectionStoreOptions = {}): ConnectionStore {
  const { idle = 3_600_000, most = 10_000, now = () => performance.now() } = options;
  // Whoever was heard of last stands last.
  const sessions = new Map<string, { readonly memory: ConnectionMemory; readonly heard: number }>();
  const evict = (): void => {
    for (const [sessionId, { heard }] of sessions) {
      if (sessions.size <= most && now() - heard < idle) return;
      sessions.delete(sessionId);
    }
  };
  return {
    memory(sessionId) {
      if (sessionId === undefined) return undefined;
      const memory = sessions.get(sessionId)?.memory ?? createMemory();
      sessions.delete(sessionId);
      sessions.set(sessionId, { memory, heard: now() });
      evict();
      return memory;
    },
    forget: (sessionId) => void sessions.delete(sessionId),
    get size() {
      return sessions.size;
    },
  };
}
