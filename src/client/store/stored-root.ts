import type { Operation } from '../../boundary/step/operation.ts';
import type { Root } from '../../path/root.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';

/** A root that a person keeps, and what goes with it. */
export interface StoredRoot extends Root {
  /** When it was added, ISO 8601; not known of one that was written by hand. */
  readonly added?: string;
  /** What it permits to servers that have no entry of their own. */
  readonly permissions: PermissionConfig;
  /** By name of the server: replaces `permissions` there, except that its `deny` adds to theirs. */
  readonly servers: Readonly<Record<string, PermissionConfig>>;
  /** What a person answered when a server wanted to see it. */
  readonly grants: readonly Grant[];
}

/** A remembered answer: one server, one root. */
export interface Grant {
  /** What the host calls the server. */
  readonly server: string;
  /** Of the server that was asked about; without one it holds for whatever goes by the name. */
  readonly fingerprint?: string;
  readonly answer: 'always' | 'never';
  /** When it was given, ISO 8601. */
  readonly date: string;
  /** When it ends, ISO 8601. */
  readonly until?: string;
  /** No more than these, whatever the permissions say. */
  readonly operations?: readonly Operation[];
}

/** What is known about one server, beside the grants. */
export interface StoredServer {
  /** The only roots it may see, by path. Without a list the trust in it decides. */
  readonly roots?: readonly string[];
}

/** A root that was taken away, with everything that it takes to bring it back. */
export interface RemovedRoot {
  readonly root: StoredRoot;
  /** Names of the servers whose lists of roots had it. */
  readonly listedBy?: readonly string[];
}

/** Everything in a store at one moment. */
export interface StoreSnapshot {
  /** Goes up with every change. */
  readonly revision: number;
  readonly roots: readonly StoredRoot[];
  /** By name. */
  readonly servers: Readonly<Record<string, StoredServer>>;
}
