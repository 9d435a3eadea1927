import type { Root } from '../../path/root.ts';
import type { RootAvailability } from '../expose/expose-options.ts';
import type { RootStore } from '../store/root-store.ts';
import { RootWatcher } from './root-watcher.ts';
import type { RootWatch, WatchRootsOptions } from './watch-contract.ts';

/**
 * Watches whether roots are usable: available, missing, moved, unmounted, without permission, returned. A root that
 * vanished is reported, stays under watch, and is reported again when it is back.
 *
 * It is cheap: it watches the directories above the roots, each once for all of them, and the top of each root for
 * marker files, never a tree. It holds no handles, so that disks can be unmounted, and does not keep the process
 * alive. If the system has no watches left, the affected roots are polled every few seconds, and an issue reports
 * that.
 *
 * Not guaranteed: a root that is moved out of its directory is `missing`; so is one whose parent was moved. On file
 * systems without events (NFS, parts of WSL) only `look` sees changes made elsewhere.
 *
 * @throws {RootwardError} `INVALID_GLOB` for a glob in `content`
 * @example
 * ```ts
 * const { roots } = parseRoots([{ uri: toFileUri(process.cwd()) }, { uri: 'file:///no/such/place' }]);
 * const watch = watchRoots(roots);
 * await watch.ready;
 * watch.statuses.map(({ state }) => state) // → ['available', 'missing']
 * watch.statuses[1].usable // → false
 * await watch.close();
 * ```
 */
export function watchRoots(roots: readonly Root[], options: WatchRootsOptions = {}): RootWatch {
  return new RootWatcher(roots, options);
}

/**
 * A watch over the roots of a store, for `expose`: a root that vanishes is withdrawn, and shown again when it is back.
 */
export interface StoreWatch extends RootAvailability, AsyncDisposable {
  readonly watch: RootWatch;
  close(): Promise<void>;
}

/**
 * Watches whether the roots of a store are usable, including those added later. A root that was not looked at yet
 * counts as usable. One watch serves any number of servers.
 *
 * @example
 * ```ts
 * const root = { uri: 'file:///no/such/place', path: '/no/such/place', name: 'place', kind: 'unknown' };
 * const watching = watchStore({ list: () => [root], subscribe: () => () => {} });
 * await watching.watch.ready;
 * watching.isUsable(root) // → false
 * await watching.close();
 * ```
 */
export function watchStore(
  store: Pick<RootStore, 'list' | 'subscribe'>,
  options: WatchRootsOptions = {},
): StoreWatch {
  const listeners = new Set<() => void>();
  const watch = watchRoots(store.list(), {
    ...options,
    onChange(status, before) {
      options.onChange?.(status, before);
      if (status.usable === (before?.usable ?? true)) return;
      for (const listener of listeners) listener();
    },
  });
  let known = new Set(store.list().map(({ path }) => path));
  const stop = store.subscribe(({ snapshot: { roots } }) => {
    const now = new Set(roots.map(({ path }) => path));
    watch.remove([...known].filter((path) => !now.has(path)));
    void watch.add(roots.filter(({ path }) => !known.has(path)));
    known = now;
  });
  const close = async (): Promise<void> => {
    stop();
    listeners.clear();
    await watch.close();
  };
  return {
    watch,
    isUsable: ({ path }) => watch.status(path)?.usable ?? true,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
