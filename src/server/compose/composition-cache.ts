import { isObject } from '../../base/fields.ts';
import { type Anchors, createAnchors } from '../../workspace/anchors.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import { type ClientRoots, isSettled } from '../connection/client-roots.ts';
import type { Remembered } from '../connection/connection-memory.ts';
import type { Connection } from '../connection/connection.ts';
import type { Composition } from './composition.ts';

/** A composition that stays open until it is released. */
export interface HeldComposition {
  readonly composition: Composition;
  /** Once; more often does nothing. */
  release(): void;
}

export interface CompositionCache {
  /**
   * The composition for a key, made anew where the facts are others or the last look is too old.
   */
  hold(key: string, facts: readonly unknown[], make: () => Promise<Composition>): Promise<HeldComposition>;
  /** The same, if it is there and fresh. */
  grab(key: string, facts: readonly unknown[]): HeldComposition | undefined;
  /** The last one without a key of its own, also when it is not fresh or was let go: for what its texts say. */
  peek(facts: readonly unknown[]): Composition | undefined;
  /** Lets everything go that nobody holds, and the rest when they release it. */
  close(): void;
}

interface CachedComposition {
  readonly key: string;
  readonly facts: readonly unknown[];
  readonly made: Promise<Composition>;
  composition?: Composition;
  holders: number;
  /** Too old to be taken again. */
  stale: boolean;
  retired: boolean;
  expiry?: NodeJS.Timeout;
}

/** More keys than this at a time are compositions for one call only. */
const mostKeys = 16;

/** Keeps the workspaces of one connection open between its calls, for as long as they are fresh. */
export function createCompositionCache(freshness: number): CompositionCache {
  const entries = new Map<string, CachedComposition>();
  let closed = false;
  let latest: CachedComposition | undefined;

  const retire = (entry: CachedComposition): void => {
    if (entries.get(entry.key) === entry) entries.delete(entry.key);
    clearTimeout(entry.expiry);
    entry.retired = true;
    if (entry.holders === 0) letGo(entry);
  };
  // A clock for each entry, so that no call has to look at one.
  const expire = (entry: CachedComposition): void => {
    entry.stale = true;
    if (entry.holders === 0) retire(entry);
  };
  const usable = (key: string, facts: readonly unknown[]): CachedComposition | undefined => {
    const entry = entries.get(key);
    return entry !== undefined && !entry.stale && sameFacts(entry.facts, facts) ? entry : undefined;
  };
  const create = (
    key: string,
    facts: readonly unknown[],
    make: () => Promise<Composition>,
  ): CachedComposition => {
    const before = entries.get(key);
    if (before !== undefined) retire(before);
    for (const old of entries.values()) if (entries.size >= mostKeys) retire(old);
    // After the end of a connection a composition is for one call only.
    const entry: CachedComposition = {
      key,
      facts,
      made: make(),
      holders: 0,
      stale: freshness <= 0,
      retired: closed,
    };
    if (!closed) {
      entries.set(key, entry);
      entry.expiry = setTimeout(() => expire(entry), freshness).unref();
    }
    entry.made.then(
      (composition) => keep(key, entry, composition),
      () => retire(entry),
    );
    return entry;
  };
  const keep = (key: string, entry: CachedComposition, composition: Composition): void => {
    entry.composition = composition;
    if (key === '' && !closed) latest = entry;
  };

  const release = (entry: CachedComposition): void => {
    entry.holders -= 1;
    if (entry.holders > 0) return;
    if (entry.retired) letGo(entry);
    else if (entry.stale) retire(entry);
  };

  return {
    async hold(key, facts, make) {
      const entry = usable(key, facts) ?? create(key, facts, make);
      entry.holders += 1;
      try {
        return new CompositionHold(await entry.made, entry, release);
      } catch (error) {
        release(entry);
        throw error;
      }
    },
    grab(key, facts) {
      const entry = usable(key, facts);
      if (entry?.composition === undefined) return undefined;
      entry.holders += 1;
      return new CompositionHold(entry.composition, entry, release);
    },
    peek: (facts) => (latest && sameFacts(latest.facts, facts) ? latest.composition : undefined),
    close() {
      closed = true;
      latest = undefined;
      for (const entry of entries.values()) retire(entry);
    },
  };
}

class CompositionHold implements HeldComposition {
  readonly composition: Composition;
  readonly #entry: CachedComposition;
  readonly #release: (entry: CachedComposition) => void;
  #released = false;

  constructor(
    composition: Composition,
    entry: CachedComposition,
    release: (entry: CachedComposition) => void,
  ) {
    this.composition = composition;
    this.#entry = entry;
    this.#release = release;
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#release(this.#entry);
  }
}

function letGo({ made }: CachedComposition): void {
  // Closing waits for operations that are still running; a failed one holds nothing.
  void made.then(({ open }) => open.close()).catch(() => undefined);
}

function sameFacts(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one === other) return true;
  return one.length === other.length && one.every((fact, index) => isSame(fact, other[index]));
}

/** Facts are plain data. In one process they stay the same objects; from elsewhere they come anew each time. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  return isObject(one) && isObject(other) && JSON.stringify(one) === JSON.stringify(other);
}

/** What a composition depends on, as plain data: where it is the same, so is the composition. */
export type CompositionFacts = readonly unknown[];

export function factsOf(
  connection: Connection,
  answer: RootsAnswer,
  operatorRevision: number | undefined,
): CompositionFacts {
  const { switched, initialize, listed } = connection.memory.current();
  return [
    answer.state === 'unasked' || answer.state === 'unsupported' ? answer.state : answer,
    switched,
    initialize,
    listed,
    operatorRevision,
    // Who comes over HTTP cannot widen: what was put together for others is not theirs.
    connection.overHttp,
  ];
}

/** The facts of a connection, unless its client has to be asked first. */
export type FactsAtHand = () => CompositionFacts | undefined;

/** Every call begins with them and they change seldom: as long as nothing did, they are one list. */
export function createFactsAtHand(connection: Connection, roots: ClientRoots): FactsAtHand {
  let last: CacheLookup | undefined;
  return () => {
    const remembered = connection.memory.current();
    const { isOutdated, overHttp } = connection;
    if (last?.remembered !== remembered || last.isOutdated !== isOutdated || last.overHttp !== overHttp) {
      const answer = roots.known();
      const facts = isSettled(answer) ? factsOf(connection, answer, undefined) : undefined;
      last = { remembered, isOutdated, overHttp, facts };
    }
    return last.facts;
  };
}

interface CacheLookup {
  readonly remembered: Remembered;
  readonly isOutdated: boolean;
  readonly overHttp: boolean;
  readonly facts: CompositionFacts | undefined;
}

/** Keeps the workspaces of HTTP sessions open between requests, where each request has a server of its own. */
export interface WorkspaceKeeper {
  /** @internal What roots have been so far, over all sessions. */
  readonly anchors: Anchors;
  /** Of a session; whoever asks must not close it. */
  of(sessionId: string): CompositionCache;
  close(): void;
}

/** Sessions at a time; the one that was silent for longest goes first. */
const most = 1_000;

/**
 * Makes one, for `attach` in a factory that builds a server per request.
 *
 * @example
 * ```ts
 * const keeper = createWorkspaceKeeper();
 * keeper.of('session-1') === keeper.of('session-1') // → true
 * keeper.close();
 * ```
 */
export function createWorkspaceKeeper(freshness = 5_000): WorkspaceKeeper {
  // Whoever was heard of last stands last.
  const sessions = new Map<string, CompositionCache>();
  const makeRoom = (): void => {
    for (const [sessionId, compositions] of sessions) {
      if (sessions.size < most) return;
      sessions.delete(sessionId);
      compositions.close();
    }
  };
  return {
    anchors: createAnchors(),
    of(sessionId) {
      const existing = sessions.get(sessionId);
      if (existing === undefined) makeRoom();
      const compositions = existing ?? createCompositionCache(freshness);
      sessions.delete(sessionId);
      sessions.set(sessionId, compositions);
      return compositions;
    },
    close() {
      for (const compositions of sessions.values()) compositions.close();
      sessions.clear();
    },
  };
}
