import { RootwardError } from '../../errors.ts';

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
