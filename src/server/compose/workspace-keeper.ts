import { isObject } from '../../base/fields.ts';
import { RecentMap } from '../../base/recent-map.ts';
import { type Anchors, createAnchors } from '../../workspace/anchors.ts';
import type { Composition } from './composition.ts';
import {
  type CompositionCache,
  type CompositionFacts,
  createCompositionCache,
  type HeldComposition,
  sameFacts,
} from './composition-cache.ts';

/** Keeps workspaces open between HTTP requests, if each request has its own server. */
export interface WorkspaceKeeper {
  /** @internal The places of all roots so far, over all sessions. */
  readonly anchors: Anchors;
  /**
   * The cache of a session, or of a request without one (2026-07-28). The caller must not close it. Connections with
   * equal facts share their compositions.
   */
  of(sessionId: string | undefined): CompositionCache;
  /** @internal Numbers compositions over all connections, because they share them. */
  nextRevision(): number;
  close(): void;
}

/** Limit of sessions whose last composition is remembered; the least recently used one goes first. */
const mostSessions = 1_000;
/** Limit of compositions, which hold the directories of their roots open. */
const mostOpen = 1_000;
/** Milliseconds after which a request without a session looks at the disk again. */
const requestFreshness = 1_000;

/**
 * Creates a keeper, for `attach` in a factory that builds a server per request. After `freshness` milliseconds a
 * session looks at the disk again; a request without a session does after one second at the latest.
 *
 * @example
 * ```ts
 * const keeper = createWorkspaceKeeper();
 * keeper.of('session-1') === keeper.of('session-1') // → true
 * keeper.close();
 * ```
 */
export function createWorkspaceKeeper(freshness = 5_000): WorkspaceKeeper {
  const ofSessions = createCompositionCache(freshness, mostOpen);
  const ofRequests = createCompositionCache(Math.min(freshness, requestFreshness), mostOpen);
  const keyOf = createKeys();
  const sessions = new RecentMap<string, CompositionCache>();
  let revision = 0;
  return {
    anchors: createAnchors(),
    of(sessionId) {
      if (sessionId === undefined) return shareCompositions(ofRequests, keyOf);
      const compositions = sessions.get(sessionId) ?? shareCompositions(ofSessions, keyOf);
      sessions.set(sessionId, compositions);
      sessions.trim(mostSessions);
      return compositions;
    },
    nextRevision: () => (revision += 1),
    close() {
      ofSessions.close();
      ofRequests.close();
      sessions.clear();
    },
  };
}

/** Makes one text of a key and the facts that a composition depends on. */
type FactsKey = (key: string, facts: CompositionFacts) => string;

/** Long lists of roots arrive once and count in many calls, so their text is made once. */
function createKeys(): FactsKey {
  const texts = new WeakMap<object, string>();
  const textOf = (fact: unknown): string => {
    if (!isObject(fact)) return JSON.stringify(fact) ?? '';
    const known = texts.get(fact);
    if (known !== undefined) return known;
    const text = JSON.stringify(fact);
    texts.set(fact, text);
    return text;
  };
  return (key, facts) => `${key}\n${facts.map(textOf).join('\n')}`;
}

/** The view of one connection on compositions that it shares with others. */
function shareCompositions(shared: CompositionCache, keyOf: FactsKey): CompositionCache {
  let latest: { readonly facts: CompositionFacts; readonly composition: Composition } | undefined;
  const seen = new WeakSet<Composition>();
  const see = (key: string, facts: CompositionFacts, held: HeldComposition): HeldComposition => {
    const { composition } = held;
    const isNew = !seen.has(composition);
    seen.add(composition);
    if (key === '' && latest?.composition !== composition) latest = { facts, composition };
    return { composition, isNew, expire: () => held.expire(), release: () => held.release() };
  };
  return {
    hold: async (key, facts, make) => see(key, facts, await shared.hold(keyOf(key, facts), none, make)),
    grab(key, facts) {
      const held = shared.grab(keyOf(key, facts), none);
      return held && see(key, facts, held);
    },
    peek: (facts) => (latest && sameFacts(latest.facts, facts) ? latest.composition : undefined),
    close: () => (latest = undefined),
  };
}

/** All facts are in the key. */
const none: CompositionFacts = [];
