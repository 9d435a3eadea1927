import { isObject } from '../../base/fields.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import { type ClientRoots, isSettled } from '../connection/client-roots.ts';
import type { Remembered } from '../connection/connection-memory.ts';
import type { Connection } from '../connection/connection.ts';
import type { RequestFacts } from '../sdk/call-context.ts';
import type { Composition } from './composition.ts';

/** A composition that stays open until it is released. */
export interface HeldComposition {
  readonly composition: Composition;
  /** True if this connection has not had it before. */
  readonly isNew: boolean;
  /** Makes later calls compose anew. */
  expire(): void;
  /** Further calls do nothing. */
  release(): void;
}

export interface CompositionCache {
  /** Returns the composition for a key, made again if the facts differ or the last one is too old. */
  hold(key: string, facts: readonly unknown[], make: () => Promise<Composition>): Promise<HeldComposition>;
  /** Returns it if it is cached and fresh. */
  grab(key: string, facts: readonly unknown[]): HeldComposition | undefined;
  /** The last composition without a key, even if stale or closed, for its texts. */
  peek(facts: readonly unknown[]): Composition | undefined;
  /** Closes what is not held, and the rest when it is released. */
  close(): void;
}

interface CachedComposition {
  readonly key: string;
  readonly facts: readonly unknown[];
  readonly made: Promise<Composition>;
  composition?: Composition;
  holders: number;
  /** It has been held before. */
  used: boolean;
  /** Too old to be used again. */
  stale: boolean;
  retired: boolean;
  expiry?: NodeJS.Timeout;
}

/** Limit of the compositions that one connection keeps; a further one takes the place of the oldest. */
const mostOfConnection = 16;

/** Keeps workspaces open between calls while they are fresh. */
export function createCompositionCache(freshness: number, most: number = mostOfConnection): CompositionCache {
  const entries = new Map<string, CachedComposition>();
  let closed = false;
  let latest: CachedComposition | undefined;

  const retire = (entry: CachedComposition): void => {
    if (entries.get(entry.key) === entry) entries.delete(entry.key);
    clearTimeout(entry.expiry);
    entry.retired = true;
    if (entry.holders === 0) letGo(entry);
  };
  // Each entry has its own timer, so that no call has to check the time.
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
    for (const old of entries.values()) {
      if (entries.size < most) break;
      retire(old);
    }
    // After the connection has ended, a composition lives for one call.
    const entry: CachedComposition = {
      key,
      facts,
      made: make(),
      holders: 0,
      used: false,
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
        return new CompositionHold(await entry.made, entry, { expire, release });
      } catch (error) {
        release(entry);
        throw error;
      }
    },
    grab(key, facts) {
      const entry = usable(key, facts);
      if (entry?.composition === undefined) return undefined;
      entry.holders += 1;
      return new CompositionHold(entry.composition, entry, { expire, release });
    },
    peek: (facts) => (latest && sameFacts(latest.facts, facts) ? latest.composition : undefined),
    close() {
      closed = true;
      latest = undefined;
      for (const entry of entries.values()) retire(entry);
    },
  };
}

/** The ways in which the use of an entry ends. */
interface EntryEnds {
  expire(entry: CachedComposition): void;
  release(entry: CachedComposition): void;
}

class CompositionHold implements HeldComposition {
  readonly composition: Composition;
  readonly isNew: boolean;
  readonly #entry: CachedComposition;
  readonly #cache: EntryEnds;
  #released = false;

  constructor(composition: Composition, entry: CachedComposition, cache: EntryEnds) {
    this.composition = composition;
    this.isNew = !entry.used;
    entry.used = true;
    this.#entry = entry;
    this.#cache = cache;
  }

  expire(): void {
    this.#cache.expire(this.#entry);
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#cache.release(this.#entry);
  }
}

function letGo({ made }: CachedComposition): void {
  // Closing waits for running operations. A failed composition holds nothing.
  void made.then(({ open }) => open.close()).catch(() => undefined);
}

export function sameFacts(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one === other) return true;
  return one.length === other.length && one.every((fact, index) => isSame(fact, other[index]));
}

/**
 * Compares facts, which are plain data. Within a process they are the same objects; a session store returns new
 * copies.
 */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  return isObject(one) && isObject(other) && JSON.stringify(one) === JSON.stringify(other);
}

/** The facts that a composition depends on, as plain data: equal facts give equal compositions. */
export type CompositionFacts = readonly unknown[];

export function factsOf(
  connection: Connection,
  { answer, operatorRevision, incoming }: CallFacts,
): CompositionFacts {
  const { switched, initialize, listed } = connection.memory.current();
  return [
    answer.state === 'unasked' || answer.state === 'unsupported' ? answer.state : answer,
    switched,
    initialize,
    listed,
    operatorRevision,
    // HTTP clients cannot widen, so they must not share a composition made for others.
    connection.overHttp,
    // A 2026 client introduces itself with each request; an older one did in `initialize`.
    connection.modern ? connection.client(incoming) : undefined,
  ];
}

/** The facts that can differ from call to call. */
export interface CallFacts {
  readonly answer: RootsAnswer;
  readonly operatorRevision: number | undefined;
  readonly incoming?: RequestFacts | undefined;
}

/** Returns the facts of a connection, unless its client has to be asked first. */
export type FactsAtHand = () => CompositionFacts | undefined;

/** Every call starts with the facts and they rarely change, so the same list is returned while nothing changed. */
export function createFactsAtHand(connection: Connection, roots: ClientRoots): FactsAtHand {
  let last: CacheLookup | undefined;
  return () => {
    const remembered = connection.memory.current();
    const { isOutdated, overHttp } = connection;
    if (last?.remembered !== remembered || last.isOutdated !== isOutdated || last.overHttp !== overHttp) {
      const answer = roots.known();
      const facts = isSettled(answer)
        ? factsOf(connection, { answer, operatorRevision: undefined })
        : undefined;
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
