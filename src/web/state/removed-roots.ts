import { randomUUID } from 'node:crypto';
import { RecentMap } from '../../base/recent-map.ts';
import type { RootStore } from '../../client/store/root-store.ts';
import type { RemovedRoot, StoredRoot } from '../../client/store/stored-root.ts';
import { RootwardError } from '../../errors.ts';

/** Removed roots. Each can be restored on its own, whatever happened to others since then. */
export interface RemovedRoots {
  /** @throws {RootwardError} errors of the store */
  remove(which: string): Promise<{ readonly root: StoredRoot; readonly undo: string }>;
  /** @throws {RootwardError} `CANNOT_UNDO`, and errors of the store */
  restore(undo: string): Promise<StoredRoot>;
}

/** Limit of roots that can be restored. */
const most = 200;

export function createRemovedRoots(store: RootStore): RemovedRoots {
  const removed = new RecentMap<string, RemovedRoot>();
  return {
    async remove(which) {
      const { servers, roots } = store.snapshot();
      const root = await store.remove(which);
      const paths = roots.map(({ path }) => path);
      const index = paths.indexOf(root.path);
      const neighbours = { before: paths.slice(0, Math.max(index, 0)), after: paths.slice(index + 1) };
      const listedBy = Object.keys(servers).filter((name) => servers[name]?.roots?.includes(root.path));
      const undo = randomUUID();
      removed.set(undo, { root, listedBy, neighbours });
      removed.trim(most);
      return { root, undo };
    },
    async restore(undo) {
      const was = removed.get(undo);
      if (was === undefined) throw new RootwardError('CANNOT_UNDO', { reason: 'it was already restored' });
      const root = await store.restore(was);
      removed.delete(undo);
      return root;
    },
  };
}
