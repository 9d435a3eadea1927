import type * as Redis from '@redis/client';

/** The client library, which may be missing. */
export type RedisModule = typeof Redis;

export interface RedisSocket {
  readonly connectTimeout: number;
  /**
   * Silence that long on a connection with a heartbeat means that it is lost, whatever the system says. What is
   * sent counts as a sign of life there, so where commands go out more is needed: see `revive`.
   */
  readonly socketTimeout: number;
  /** Bytes. Commands that wait here until others are written look like an engine that does not answer. */
  readonly highWaterMark: number;
  readonly reconnectStrategy: () => number;
}

const socket: RedisSocket = {
  connectTimeout: 2_000,
  socketTimeout: 3_000,
  highWaterMark: 1024 * 1024,
  reconnectStrategy: () => 50 + Math.floor(Math.random() * 50),
};

/** How every connection behaves: commands are refused at once while there is none. */
export const clientOptions = {
  // A timer for each command costs more than the command; whoever sends one has a watch of its own.
  commandOptions: { timeout: 0 },
  disableOfflineQueue: true,
  commandsQueueMaxLength: 20_000,
  pingInterval: 1_000,
  maintNotifications: 'disabled',
} as const;

/** Another one each time: the library writes into it. */
export function socketFor(tls = false): RedisSocket | (RedisSocket & { readonly tls: true }) {
  return tls ? { ...socket, tls } : { ...socket };
}

/** A lost connection is not news: each command says by itself that it failed. */
export function ignore(): void {}

/** Servers before version 7 have one kind of channel only. */
export async function isSharded(send: (command: readonly string[]) => Promise<unknown>): Promise<boolean> {
  try {
    await send(['PUBSUB', 'SHARDNUMSUB', 'rootward']);
    return true;
  } catch {
    return false;
  }
}
