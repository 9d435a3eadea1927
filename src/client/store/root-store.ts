import type { AuditSink } from '../../audit/sink.ts';
import type { RootwardError } from '../../errors.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import type { PermissionChange } from './change-permissions.ts';
import type { StoreEvent } from './store-core.ts';
import type { Grant, RemovedRoot, StoredRoot, StoreSnapshot } from './stored-root.ts';

export interface RootStoreOptions {
  /** `roots.jsonc` in the platform's config directory by default; `ROOTWARD_HOME` moves it. */
  readonly file?: string;
  /** Where every change is recorded. The sink stays the caller's. */
  readonly audit?: AuditSink;
  /** Who makes changes through this store, for the audit. */
  readonly caller?: string;
  /** Whether to follow changes by others; yes unless said. A command that ends at once need not. */
  readonly follow?: boolean;
  /** Milliseconds to wait for another process that is changing the file; 10 seconds by default. */
  readonly timeout?: number;
  readonly now?: () => Date;
}

/** A root to be kept. */
export interface NewRoot extends PermissionConfig {
  /** Absolute, beginning with `~/`, or a file URI. */
  readonly path: string;
  readonly name?: string;
  /** Whether it must exist now; yes unless said. */
  readonly mustExist?: boolean;
  /** Keeps it although it is too broad or not for sharing. For a person who has seen what speaks against it. */
  readonly force?: boolean;
}

/** To whom a permission is given or refused: all servers, or one by the name that the host has for it. */
export interface RootPermissionChange extends PermissionChange {
  readonly server?: string;
}

export type StoreListener = (event: StoreEvent) => void;

/** The roots of a person: kept in a file, shared by every process that opens it. Get one from `openRootStore`. */
export interface RootStore extends AsyncDisposable {
  readonly file: string;
  /** Goes up with every change that is seen here. */
  readonly revision: number;
  /** What is wrong with the file, while it is; the last good copy is served, and nothing is written. */
  readonly damage: RootwardError | undefined;
  snapshot(): StoreSnapshot;
  list(): readonly StoredRoot[];
  /** By name, path or file URI. */
  get(which: string): StoredRoot | undefined;
  /** Keeps a root. What is too broad or not for sharing is refused, unless it is forced. */
  add(root: NewRoot | string): Promise<StoredRoot>;
  /** Keeps all of them, in one change, or none. */
  addAll(roots: readonly (NewRoot | string)[]): Promise<readonly StoredRoot[]>;
  /** Takes a root away, with every permission and grant that goes with it. */
  remove(which: string): Promise<StoredRoot>;
  rename(which: string, name: string): Promise<StoredRoot>;
  /**
   * Allows operations, or takes deny globs away. With a server and nothing else: the server may see the root,
   * always.
   */
  allow(which: string, change: RootPermissionChange): Promise<StoredRoot>;
  /** Denies operations, or what globs match. With a server and nothing else: it never sees the root. */
  deny(which: string, change: RootPermissionChange): Promise<StoredRoot>;
  /** A person is asked before these operations, each time. */
  ask(which: string, change: RootPermissionChange): Promise<StoredRoot>;
  /** Brings a root back that was taken away, whatever happened to others since. */
  restore(removed: RemovedRoot): Promise<StoredRoot>;
  /** Names the only roots that a server may see; `undefined` leaves it to the trust in the server. */
  limit(server: string, roots: readonly string[] | undefined): Promise<void>;
  /** Remembers what a person answered. */
  remember(which: string, grant: Grant): Promise<StoredRoot>;
  /** Forgets what was answered about a server, so that it is asked again. */
  forget(which: string, server: string): Promise<StoredRoot>;
  /** Tells of every change, by whomever, until the returned function is called. */
  subscribe(listener: StoreListener): () => void;
  /** Takes the latest change back that was made through this store; again for the one before it. */
  undo(): Promise<StoreSnapshot>;
  /** Looks at the file now, for whoever cannot wait for the system to tell. */
  refresh(): Promise<StoreSnapshot>;
  close(): Promise<void>;
}
