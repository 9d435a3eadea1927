import type { AuditSink } from '../../audit/sink.ts';
import type { RootwardError } from '../../errors.ts';
import type { RootFinding } from '../discover/root-finding.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import type { PermissionChange } from './change-permissions.ts';
import type { StoreEvent } from './store-core.ts';
import type { Grant, RemovedRoot, StoredRoot, StoreSnapshot } from './stored-root.ts';

export interface RootStoreOptions {
  /** `roots.jsonc` in the platform's config directory by default; `ROOTWARD_HOME` moves it. */
  readonly file?: string;
  /** Records every change. The caller closes the sink. */
  readonly audit?: AuditSink;
  /** Name of the program that makes the changes, for the audit. */
  readonly caller?: string;
  /** Whether to follow changes by others; true by default. A short-lived command does not need it. */
  readonly follow?: boolean;
  /** Milliseconds to wait for another process that is changing the file; 10 seconds by default. */
  readonly timeout?: number;
  readonly now?: () => Date;
}

/** A root to be added. */
export interface NewRoot extends PermissionConfig {
  /** Absolute, beginning with `~/`, or a file URI. */
  readonly path: string;
  readonly name?: string;
  /** Whether it must exist now; true by default. */
  readonly mustExist?: boolean;
  /** Adds it although it is too broad or sensitive. For a person who has seen the reasons against it. */
  readonly force?: boolean;
}

/** A change of permissions for all servers, or for one, by the host's name for it. */
export interface RootPermissionChange extends PermissionChange {
  readonly server?: string;
}

export type StoreListener = (event: StoreEvent) => void;

/** The roots of a user, kept in a file that several processes share. Created by `openRootStore`. */
export interface RootStore extends AsyncDisposable {
  readonly file: string;
  /** Increases with every change seen here. */
  readonly revision: number;
  /** The fault of the file, if any; meanwhile the last good copy is served, and nothing is written. */
  readonly damage: RootwardError | undefined;
  snapshot(): StoreSnapshot;
  list(): readonly StoredRoot[];
  /** Finds a root by name, path or file URI. */
  get(which: string): StoredRoot | undefined;
  /** Adds a root. Refuses a root that is too broad or sensitive, unless forced. */
  add(root: NewRoot | string): Promise<StoredRoot>;
  /**
   * Adds all of them in one change, or none. `approve` sees every finding about them first, where `index` is the
   * position in `roots`; nothing is added unless it returns true.
   */
  addAll(
    roots: readonly (NewRoot | string)[],
    approve?: (findings: readonly RootFinding[]) => boolean | Promise<boolean>,
  ): Promise<readonly StoredRoot[]>;
  /** Removes a root with all its permissions and grants. */
  remove(which: string): Promise<StoredRoot>;
  rename(which: string, name: string): Promise<StoredRoot>;
  /** Allows operations, or removes deny globs. With only a server: the server may always see the root. */
  allow(which: string, change: RootPermissionChange): Promise<StoredRoot>;
  /** Denies operations, everywhere or within globs. With only a server: the server never sees the root. */
  deny(which: string, change: RootPermissionChange): Promise<StoredRoot>;
  /** Requires a question to a person before each of these operations. */
  ask(which: string, change: RootPermissionChange): Promise<StoredRoot>;
  /** Restores a removed root, whatever happened to others since. */
  restore(removed: RemovedRoot): Promise<StoredRoot>;
  /** Sets the only roots that a server may see; `undefined` removes the list, so that trust decides. */
  limit(server: string, roots: readonly string[] | undefined): Promise<void>;
  /** Stores the answer of a person. */
  remember(which: string, grant: Grant): Promise<StoredRoot>;
  /** Removes the answers about a server, so that a person is asked again. */
  forget(which: string, server: string): Promise<StoredRoot>;
  /** Calls the listener after every change, by any process, until the returned function is called. */
  subscribe(listener: StoreListener): () => void;
  /** Undoes the latest change made through this store; a second call undoes the one before it. */
  undo(): Promise<StoreSnapshot>;
  /** Reads the file now, without waiting for a file system event. */
  refresh(): Promise<StoreSnapshot>;
  close(): Promise<void>;
}
