import type { Operation } from '../../boundary/step/operation.ts';
import type { Root } from '../../path/root.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';

/** A root in the store, with its permissions and grants. */
export interface StoredRoot extends Root {
  /** When it was added, ISO 8601; missing for a root that was added by hand. */
  readonly added?: string;
  /** Permissions for servers without an entry of their own. */
  readonly permissions: PermissionConfig;
  /** Permissions by server name. They replace `permissions`, but `deny` rules of both apply. */
  readonly servers: Readonly<Record<string, PermissionConfig>>;
  /** Answers of a person about servers that wanted to see this root. */
  readonly grants: readonly Grant[];
}

/** A stored answer about one server and one root. */
export interface Grant {
  /** The host's name for the server. */
  readonly server: string;
  /** Fingerprint of the server; without one, the answer applies to any program of that name. */
  readonly fingerprint?: string;
  readonly answer: 'always' | 'never';
  /** When it was given, ISO 8601. */
  readonly date: string;
  /** When it expires, ISO 8601. */
  readonly until?: string;
  /** Upper limit, whatever the permissions allow. */
  readonly operations?: readonly Operation[];
}

/** Settings of one server, besides grants. */
export interface StoredServer {
  /** Paths of the only roots it may see. Without a list, trust decides. */
  readonly roots?: readonly string[];
}

/** A removed root, with everything needed to restore it. */
export interface RemovedRoot {
  readonly root: StoredRoot;
  /** Names of the servers whose lists contained it. */
  readonly listedBy?: readonly string[];
  /** Paths of the roots that stood before and after it, in their order. Without them it is restored at the end. */
  readonly neighbours?: ListNeighbours;
}

/** The entries around one in a list. */
export interface ListNeighbours {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The content of a store at one moment. */
export interface StoreSnapshot {
  /** Increases with every change. */
  readonly revision: number;
  readonly roots: readonly StoredRoot[];
  /** By name. */
  readonly servers: Readonly<Record<string, StoredServer>>;
}
