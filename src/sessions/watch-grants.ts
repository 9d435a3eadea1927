import type { ProjectSwitch, SessionRecord, SessionStore } from './record/session-store.ts';

/** A project that a person granted to a session, which the session can no longer use. */
export interface EndedGrant {
  readonly session: string;
  /** The parameters of `initialize`, which name the client. */
  readonly initialize: unknown;
  readonly switched: ProjectSwitch;
  readonly reason: string;
}

export interface GrantWatchOptions {
  /** Called once for each grant that ends with its session. A failure is ignored: no caller is left. */
  readonly ended: (grant: EndedGrant) => void | Promise<void>;
  /** Milliseconds between two looks at sessions that may have expired; 30,000 by default. */
  readonly every?: number;
}

/**
 * Wraps a store, and reports when a session ends that a person granted a project to: the client ended it, it expired,
 * or the store of a single process closes. A session that switches to another project has not ended.
 *
 * Where nodes share a store, each of them looks for sessions that are gone, and the one that takes a grant out of the
 * store reports its end. So each end is reported once, also after the node that served the grant is gone. Not
 * guaranteed: a node that dies between the two, and an engine that loses its data, take the report with them.
 */
export function watchGrants(store: SessionStore, { ended, every = 30_000 }: GrantWatchOptions): SessionStore {
  const report = async (id: string, reason: string): Promise<void> => {
    const record = await store.takeGrant(id);
    if (record?.switched === undefined) return;
    const { initialize, switched } = record;
    await Promise.resolve(ended({ session: id, initialize, switched, reason })).catch(() => undefined);
  };
  const look = async (): Promise<void> => {
    for (const id of await store.grants())
      if (!(await store.has(id))) await report(id, 'the session expired');
  };
  // A store that cannot be reached is looked at again next time.
  const timer = setInterval(() => void look().catch(() => undefined), every);
  timer.unref();
  return delegate(store, {
    async keepSwitched(id, switched) {
      const granted = switched?.consented === true ? await grantedTo(store, id, switched) : undefined;
      // Kept first: a node that dies in between leaves an end without a grant, never a grant without an end.
      if (granted !== undefined) await store.keepGrant(granted);
      const kept = await store.keepSwitched(id, switched);
      // The caller records that another project was chosen.
      if (granted === undefined && kept) await store.takeGrant(id);
      return kept;
    },
    async remove(id) {
      const removed = await store.remove(id);
      if (removed) await report(id, 'the client ended its session');
      return removed;
    },
    async close() {
      clearInterval(timer);
      if (!store.shared) for (const id of await store.grants()) await report(id, 'the server stopped');
      await store.close();
    },
  });
}

async function grantedTo(
  store: SessionStore,
  id: string,
  switched: ProjectSwitch,
): Promise<SessionRecord | undefined> {
  const record = await store.touch(id);
  return record && { ...record, switched };
}

/** The same store with some methods replaced. */
function delegate(store: SessionStore, own: Partial<SessionStore>): SessionStore {
  return new Proxy(store, {
    get(target, name) {
      const replaced: unknown = Reflect.get(own, name);
      if (replaced !== undefined) return replaced;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
