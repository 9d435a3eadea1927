import { fieldsOf } from '../base/fields.ts';
import { sessionEndedMethod } from './record/envelope-listener.ts';
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
 * Not guaranteed where nodes share a store: an expiry is reported by the node that served the grant, if it still runs.
 */
export function watchGrants(store: SessionStore, { ended, every = 30_000 }: GrantWatchOptions): SessionStore {
  const granted = new Map<string, SessionRecord>();
  const report = async (record: SessionRecord | undefined, reason: string): Promise<void> => {
    if (record?.switched?.consented !== true) return;
    granted.delete(record.id);
    const { id: session, initialize, switched } = record;
    await Promise.resolve(ended({ session, initialize, switched, reason })).catch(() => undefined);
  };
  const look = async (): Promise<void> => {
    for (const record of granted.values())
      if (!(await store.has(record.id)) && granted.has(record.id))
        await report(record, 'the session expired');
  };
  // A store that cannot be reached is looked at again next time.
  const timer = setInterval(() => void look().catch(() => undefined), every);
  timer.unref();
  return delegate(store, {
    async keepSwitched(id, switched) {
      const kept = await store.keepSwitched(id, switched);
      const record = switched?.consented === true ? await store.touch(id) : undefined;
      if (record === undefined) granted.delete(id);
      else granted.set(id, record);
      return kept;
    },
    async remove(id) {
      const record = await store.touch(id);
      granted.delete(id);
      const removed = await store.remove(id);
      if (removed) await report(record, 'the client ended its session');
      return removed;
    },
    onDeliver: (listener) =>
      store.onDeliver((envelope) => {
        // The other node has reported it.
        if (fieldsOf(envelope.message)['method'] === sessionEndedMethod) granted.delete(envelope.session);
        return listener(envelope);
      }),
    async close() {
      clearInterval(timer);
      if (!store.shared)
        await Promise.all([...granted.values()].map((record) => report(record, 'the server stopped')));
      await store.close();
    },
  });
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
