import { RecentMap } from '../../base/recent-map.ts';
import type { Root } from '../../path/root.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';

/** The state of a connection that outlives a call, as data that any session store can keep. */
export interface Remembered {
  /** Incremented whenever the client announces a change of its roots. */
  readonly generation: number;
  /** The client's last answer. */
  readonly answer: RootsAnswer;
  /** The generation that the client was asked in; less than `generation` means that the answer is out of date. */
  readonly answered: number;
  /** The last list that could be read. */
  readonly listed?: readonly Root[];
  readonly switched?: Switched;
  /** The parameters of `initialize` exactly as the client sent them. */
  readonly initialize?: unknown;
}

/** The choice of `switch_project`: a name, a path or a file URI. */
export interface Switched {
  readonly text: string;
  /** A person was asked to allow this project and agreed. */
  readonly consented?: boolean;
}

/**
 * The memory of a connection, kept outside the server instance so that a server built for one request finds it
 * again. `current` is the state when the request began; the other methods may cross a network.
 */
export interface ConnectionMemory {
  current(): Remembered;
  /** Records that the client announced a change, which makes its last answer out of date. */
  invalidate(): void | Promise<void>;
  /** Stores the answer unless the roots have changed since that generation; returns whether it was stored. */
  keepAnswer(generation: number, answer: RootsAnswer): boolean | Promise<boolean>;
  keepSwitched(switched: Switched | undefined): void | Promise<void>;
  keepInitialize(params: unknown): void | Promise<void>;
}

/**
 * Creates the memory of one connection in this process.
 *
 * @example
 * ```ts
 * const memory = createMemory();
 * await memory.keepAnswer(0, { state: 'empty', revoked: false }) // → true
 * await memory.invalidate();
 * await memory.keepAnswer(0, { state: 'unsupported' }) // → false
 * memory.current().generation // → 1
 * ```
 */
export function createMemory(from: Partial<Remembered> = {}): ConnectionMemory {
  let now: Remembered = { generation: 0, answer: { state: 'unasked' }, answered: -1, ...from };
  return {
    current: () => now,
    invalidate() {
      now = { ...now, generation: now.generation + 1 };
    },
    keepAnswer(generation, answer) {
      if (generation !== now.generation) return false;
      now = {
        ...now,
        answer,
        answered: generation,
        ...(answer.state === 'listed' ? { listed: answer.roots } : {}),
      };
      return true;
    },
    keepSwitched(switched) {
      const { switched: _before, ...rest } = now;
      now = switched === undefined ? rest : { ...rest, switched };
    },
    keepInitialize(initialize) {
      now = { ...now, initialize };
    },
  };
}

export interface ConnectionStoreOptions {
  /** Milliseconds without a request after which a session is forgotten; an hour by default. */
  readonly idle?: number;
  /** Limit of sessions, 10,000 by default. The least recently used one goes first. */
  readonly most?: number;
  /** A clock in milliseconds; by default that of the process. */
  readonly now?: () => number;
}

/** The memories of sessions, kept outside the servers that are built for their requests. */
export interface ConnectionStore {
  /** Pass this to `attach` as `memory`. A connection without a session keeps its own memory. */
  readonly memory: (sessionId: string | undefined) => ConnectionMemory | undefined;
  forget(sessionId: string): void;
  readonly size: number;
}

/**
 * Keeps the memory of each HTTP session, for servers that are built per request. Sessions that vanish silently
 * are forgotten after a while, without a timer.
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
  const sessions = new RecentMap<string, { readonly memory: ConnectionMemory; readonly lastUsed: number }>();
  const evict = (): void => {
    for (const [sessionId, { lastUsed }] of sessions) {
      if (sessions.size <= most && now() - lastUsed < idle) return;
      sessions.delete(sessionId);
    }
  };
  return {
    memory(sessionId) {
      if (sessionId === undefined) return undefined;
      const memory = sessions.get(sessionId)?.memory ?? createMemory();
      sessions.set(sessionId, { memory, lastUsed: now() });
      evict();
      return memory;
    },
    forget: (sessionId) => void sessions.delete(sessionId),
    get size() {
      return sessions.size;
    },
  };
}
