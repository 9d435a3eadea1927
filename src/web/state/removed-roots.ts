import { randomUUID } from 'node:crypto';
import type { RootStore } from '../../client/store/root-store.ts';
import type { RemovedRoot, StoredRoot } from '../../client/store/stored-root.ts';
import { RootwardError } from '../../errors.ts';

/** Roots that were taken away, each to be brought back by itself, whatever happened to others since. */
export interface RemovedRoots {
  /** @throws {RootwardError} what the store throws */
  remove(which: string): Promise<{ readonly root: StoredRoot; readonly undo: string }>;
  /** @throws {RootwardError} `CANNOT_UNDO`, and what the store throws */
  restore(undo: string): Promise<StoredRoot>;
}

/** More than anybody takes back. */
const most = 200;

export function createRemovedRoots(store: RootStore): RemovedRoots {
  const removed = new Map<string, RemovedRoot>();
  return {
    async remove(which) {
      const { servers } = store.snapshot();
      const root = await store.remove(which);
      const listedBy = Object.keys(servers).filter((name) => servers[name]?.roots?.includes(root.path));
      const undo = randomUUID();
      removed.set(undo, { root, listedBy });
      for (const oldest of removed.keys()) if (removed.size > most) removed.delete(oldest);
      return { root, undo };
    },
    async restore(undo) {
      const was = removed.get(undo);
      if (was === undefined)
        throw new RootwardError('CANNOT_UNDO', { reason: 'it was brought back already' });
      const root = await store.restore(was);
      removed.delete(undo);
      return root;
    },
  };
}
