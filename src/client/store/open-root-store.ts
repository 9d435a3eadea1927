import { homedir } from 'node:os';
import { join } from 'node:path';
import { findDirectories } from '../../config/own-directory.ts';
import { RootwardError } from '../../errors.ts';
import { hostPlatform } from '../../path/platform.ts';
import { type ChangeLog, createChangeLog } from './change-log.ts';
import { parseWish, type PermissionChange } from './change-permissions.ts';
import { parseNewName } from './parse-new-root.ts';
import type { StoreContext } from './parse-store.ts';
import type { RootStore, RootStoreOptions, StoreListener } from './root-store.ts';
import { createAdditions } from './store-additions.ts';
import {
  allowRecord,
  askRecord,
  type StoreChange,
  denyRecord,
  forgetGrants,
  grantRecord,
  indexOfRoot,
  limitServer,
  removeRecord,
  renameRecord,
  restoreRecord,
} from './store-changes.ts';
import { StoreCore, type StoreEvent } from './store-core.ts';
import { findPlace, followFile } from './store-file.ts';
import type { Grant, StoredRoot } from './stored-root.ts';
import type { StoreStep } from './undo-history.ts';

/**
 * Opens the root store of this user. The file is JSON with comments and meant to be edited; comments and layout survive
 * every change. Several processes may have it open: a change takes a kernel lock, replaces the file as a whole, and
 * reaches every open store within a second, as does one by an editor. A missing file is an empty store, and is created
 * by the first change.
 *
 * If the file becomes unreadable, `damage` reports line and column; the store serves the last good copy and refuses
 * changes until the file is repaired. A file that is unreadable from the beginning is refused.
 *
 * An open store does not keep the process alive.
 *
 * Not guaranteed: that an edit survives if an editor saves in the very moment of a change, and anything on network file
 * systems without locks.
 *
 * @throws {RootwardError} `STORE_DAMAGED`, `STORE_TOO_NEW`
 * @example
 * ```ts
 * const store = await openRootStore({ file: 'node_modules/.cache/rootward/roots.jsonc' });
 * store.list() // → []
 * await store.remove('app') // throws UNKNOWN_ROOT
 * await store.add({ path: 'http://example.com/path' }) // throws INVALID_URI
 * await store.close();
 * await openRootStore({ file: 'LICENSE' }) // throws STORE_DAMAGED
 * ```
 */
export async function openRootStore(options: RootStoreOptions = {}): Promise<RootStore> {
  const { file = join(findDirectories().config, 'roots.jsonc'), timeout = 10_000 } = options;
  const { follow = true, now = () => new Date() } = options;
  const place = await findPlace(file);
  const context: StoreContext = { file, home: homedir(), platform: hostPlatform };
  const listeners = new Set<StoreListener>();
  const log = createChangeLog({ ...options, revision: () => core.snapshot.revision });
  const onEvent = (event: StoreEvent): void => {
    if (event.edited) log.recordEdit(file);
    for (const listener of listeners) tell(listener, event);
  };
  const core = await StoreCore.open({ place, context, timeout, onEvent });
  const following = follow ? followFile(place, () => void core.look().catch(warn)) : undefined;
  return createStore({ core, context, log, listeners, now, close: () => following?.close() });
}

function tell(listener: StoreListener, event: StoreEvent): void {
  try {
    listener(event);
  } catch (error) {
    warn(error);
  }
}

/** A failing listener must not affect the others. */
function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error), 'RootStoreWarning');
}

interface StoreParts {
  readonly core: StoreCore;
  readonly context: StoreContext;
  readonly log: ChangeLog;
  readonly listeners: Set<StoreListener>;
  readonly now: () => Date;
  readonly close: () => Promise<void> | undefined;
}

function createStore(parts: StoreParts): RootStore {
  const { core, context, listeners } = parts;
  const close = async (): Promise<void> => {
    listeners.clear();
    await parts.close();
    await core.close();
  };
  const get = (which: string): StoredRoot | undefined => findRoot(core.snapshot.roots, which, context);
  return {
    file: context.file,
    get revision() {
      return core.snapshot.revision;
    },
    get damage() {
      return core.damage;
    },
    snapshot: () => core.snapshot,
    list: () => core.snapshot.roots,
    get,
    ...createChanges(parts, get),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async refresh() {
      await core.look();
      return core.snapshot;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type StoreMutations = Pick<
  RootStore,
  | 'add'
  | 'addAll'
  | 'remove'
  | 'restore'
  | 'rename'
  | 'allow'
  | 'ask'
  | 'deny'
  | 'limit'
  | 'remember'
  | 'forget'
  | 'undo'
>;

function createChanges({ core, context, log, now }: StoreParts, get: RootStore['get']): StoreMutations {
  const change = (verb: string, which: string, edit: StoreChange): Promise<StoredRoot> =>
    log.around(verb, { path: which, root: get(which) }, async () => {
      const step = await core.change(edit);
      return requireRoot(step === undefined ? get(which) : changedRoot(step, which, context), which);
    });
  const answer = (which: string, server: string, word: Grant['answer']): Promise<StoredRoot> =>
    change(word, which, grantRecord(which, { server, answer: word, date: now().toISOString() }));
  return {
    ...createAdditions({ core, context, log, now, get }),
    remove: (which) => change('remove', which, removeRecord(which)),
    rename: async (which, name) => change('rename', which, renameRecord(which, parseNewName(name))),
    allow: async (which, { server, ...wish }) =>
      isEmpty(wish) && server !== undefined
        ? answer(which, server, 'always')
        : change('allow', which, allowRecord(which, parseWish(wish), server)),
    deny: async (which, { server, ...wish }) =>
      isEmpty(wish) && server !== undefined
        ? answer(which, server, 'never')
        : change('deny', which, denyRecord(which, parseWish(wish), server)),
    ask: async (which, { server, ...wish }) =>
      change('ask', which, askRecord(which, parseWish(wish), server)),
    restore: (removed) => change('restore', removed.root.path, restoreRecord(removed)),
    limit: (server, roots) =>
      log.around('limit', { path: server, root: undefined }, async () => {
        await core.change(limitServer(server, roots));
      }),
    remember: (which, grant) => change(grant.answer, which, grantRecord(which, grant)),
    forget: (which, server) => change('forget', which, forgetGrants(which, server)),
    undo: () =>
      log.around('undo', { path: context.file, root: undefined }, async () => {
        await core.undo();
        return core.snapshot;
      }),
  };
}

/** Returns the root after the change, or before it if the change removed it. */
function changedRoot(
  { before, after }: StoreStep,
  which: string,
  context: StoreContext,
): StoredRoot | undefined {
  const was = findRoot(before.snapshot.roots, which, context);
  const { roots } = after.snapshot;
  if (was === undefined) return findRoot(roots, which, context);
  return roots.find(({ path }) => path === was.path) ?? was;
}

function findRoot(
  roots: readonly StoredRoot[],
  which: string,
  context: StoreContext,
): StoredRoot | undefined {
  const index = indexOfRoot(roots, which, context);
  return index === undefined ? undefined : roots[index];
}

function isEmpty({ operations, globs }: PermissionChange): boolean {
  return operations === undefined && globs === undefined;
}

function requireRoot(root: StoredRoot | undefined, which: string): StoredRoot {
  if (root === undefined) throw new RootwardError('UNKNOWN_ROOT', { root: which, known: [] });
  return root;
}
