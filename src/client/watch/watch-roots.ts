import type { Root } from '../../path/root.ts';
import type { RootWatch, WatchRootsOptions } from './watch-contract.ts';
import { RootWatcher } from './root-watcher.ts';

/**
 * Watches whether roots can be used: available, missing, moved, unmounted, without permission, returned. A root
 * that vanished is reported, stays under watch, and comes back by itself.
 *
 * Cheap: it watches the directories above the roots, each once for all of them, and the top of each root for
 * names that reveal a project; never a tree. No handle stays open, so nothing keeps a disk from being
 * unmounted, and nothing keeps the process alive. Where the system has no watch left, the roots concerned are
 * looked at every few seconds, and that is an issue.
 *
 * Not promised: a root that is moved out of its directory is `missing`; so is one whose parent was moved. File
 * systems that tell nothing (NFS, some of WSL) show changes made elsewhere only to `look`.
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
