import type { Root } from '../../path/root.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';

/** What outlives a call, as data: it can be kept wherever sessions are. */
export interface Remembered {
  /** Goes up with every change of roots that the client announces. */
  readonly generation: number;
  /** What the client said last. */
  readonly answer: RootsAnswer;
  /** The generation that was asked about; less than `generation` means that the answer is out of date. */
  readonly answered: number;
  /** The last list that could be read. */
  readonly listed?: readonly Root[];
  readonly switched?: Switched;
  /** The parameters of `initialize`, as they were sent. */
  readonly initialize?: unknown;
}

/** What `switch_project` chose: a name, a path or a file URI. */
export interface Switched {
  readonly text: string;
  /** A person was asked whether this may be reached, and said yes. */
  readonly consented?: boolean;
}

/**
 * What a connection remembers, outside of the server instance: a server that is built for one request finds
 * it again. `current` is what was known when the request began; the others may have to go over a network.
 */
export interface ConnectionMemory {
  current(): Remembered;
  /** The client announced a change: what it said before is out of date. */
  invalidate(): void | Promise<void>;
  /** Keeps an answer, unless the roots changed since that generation; says whether it was kept. */
  keepAnswer(generation: number, answer: RootsAnswer): boolean | Promise<boolean>;
  keepSwitched(switched: Switched | undefined): void | Promise<void>;
  keepInitialize(params: unknown): void | Promise<void>;
}

/**
 * The memory of one connection, in this process.
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
  /** Forget a session that was not used for this long, in milliseconds; an hour by default. */
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
  // Insertion order is recency; evict from the front.
  const sessions = new Map<string, { readonly memory: ConnectionMemory; readonly lastUsed: number }>();
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
      sessions.delete(sessionId);
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
