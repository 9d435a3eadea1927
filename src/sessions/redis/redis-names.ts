import { RootwardError } from '../../errors.ts';
import type { EngineCommand } from './engine.ts';

/** Names of keys and channels. Keys of one session hash to the same slot of a cluster. */
export interface RedisNames {
  readonly session: (id: string) => string;
  readonly requests: (session: string) => string;
  readonly stream: (nonce: string) => string;
  readonly lease: (node: string) => string;
  readonly channel: (node: string) => string;
  /** The channel of all nodes. */
  readonly allNodes: string;
  readonly index: string;
  /** A hash of the grants of a person, by session. */
  readonly grants: string;
}

/** The default prefix of all names. */
export const usualPrefix = 'rw';

/**
 * Makes the names of one deployment. Deployments that share an engine differ by prefix or database. Channels
 * ignore databases, so their names include its number.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export function createRedisNames(prefix: string, database: string): RedisNames {
  if (!/^[\w.-]{1,64}$/.test(prefix)) {
    const reason = 'a prefix is 1 to 64 letters, digits, dots, hyphens and underscores';
    throw new RootwardError('INVALID_CONFIG', { where: '--sessions-prefix', reason });
  }
  return {
    session: (id) => `${prefix}:{${id}}`,
    requests: (session) => `${prefix}:{${session}}:q`,
    stream: (nonce) => `${prefix}:{${nonce}}:t`,
    lease: (node) => `${prefix}:{${node}}:lease`,
    channel: (node) => `${prefix}:{${node}}`,
    allNodes: `${prefix}:{all}:${database}`,
    index: `${prefix}:{index}`,
    grants: `${prefix}:{grants}`,
  };
}

export interface RedisStoreOptions {
  /** `redis://…`, `rediss://…`, `redis+cluster://…` or `redis+sentinel://…`. */
  readonly address: string;
  /** Used if the address holds no password. */
  readonly password?: string | undefined;
  /** Prefix of keys and channels, for deployments that share an engine. */
  readonly prefix?: string | undefined;
  /**
   * Secrets of at least 32 bytes that all nodes share and the engine does not know. The first one seals, each of
   * them opens.
   */
  readonly secrets: readonly Uint8Array[];
  /** Milliseconds without a request after which a session ends. */
  readonly idle?: number;
  /** The most sessions, on all nodes together. */
  readonly most?: number;
  /** Milliseconds that the engine may take to answer. The caller has promised its own answer within a bound. */
  readonly patience?: number;
  /** Milliseconds after its last heartbeat until a node counts as dead. */
  readonly lease?: number;
  /** Random by default; tests set it. */
  readonly nodeId?: string;
  /** Called when a message or a record was not sealed by one of our nodes. */
  readonly forged?: () => void;
  readonly observe?: (command: EngineCommand) => void;
}

/** The options that a deployment need not name. */
export const usualSettings: Required<Pick<RedisStoreOptions, 'idle' | 'most' | 'patience' | 'lease'>> = {
  idle: 30 * 60_000,
  most: 1_000_000,
  // A client gets its answer within 300 ms; this leaves a cold node time for the rest.
  patience: 200,
  lease: 1_500,
};

/** The options with their defaults. */
export type RedisSettings = typeof usualSettings & RedisStoreOptions;
