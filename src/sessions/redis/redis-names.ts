import { RootwardError } from '../../errors.ts';
import type { EngineCommand } from './engine.ts';

/** The names of keys and channels. What belongs together is in the same part of a cluster. */
export interface RedisNames {
  readonly session: (id: string) => string;
  readonly requests: (session: string) => string;
  readonly stream: (nonce: string) => string;
  readonly lease: (node: string) => string;
  readonly channel: (node: string) => string;
  /** The channel of all nodes. */
  readonly everybody: string;
  readonly index: string;
}

/** What names begin with, unless the operator says otherwise. */
export const usualPrefix = 'rw';

/**
 * Names of one deployment. Another one in the same engine has another prefix, or another database: channels
 * know nothing of databases, so that the number is part of theirs.
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
    everybody: `${prefix}:{all}:${database}`,
    index: `${prefix}:{index}`,
  };
}

export interface RedisStoreOptions {
  /** `redis://…`, `rediss://…`, `redis+cluster://…` or `redis+sentinel://…`. */
  readonly address: string;
  /** Where it is not part of the address. */
  readonly password?: string | undefined;
  /** What its keys and channels begin with, where several deployments share an engine. */
  readonly prefix?: string | undefined;
  /**
   * At least 32 bytes each, that all nodes share and nobody else knows, the engine included. The first one
   * seals, all of them open.
   */
  readonly secrets: readonly Uint8Array[];
  /** How long a silent session lives, in milliseconds. */
  readonly idle?: number;
  /** How many sessions there may be, on all nodes together. */
  readonly most?: number;
  /** How long the engine may take to answer, in milliseconds. Who waits for it has promised its own answer. */
  readonly patience?: number;
  /** How long a node that fell silent counts as alive, in milliseconds. */
  readonly lease?: number;
  /** Random, unless a test says otherwise. */
  readonly nodeId?: string;
  /** Something arrived, or was found in a record, that no node of ours has written. */
  readonly forged?: () => void;
  readonly observe?: (command: EngineCommand) => void;
}
