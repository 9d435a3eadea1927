import type * as Redis from '@redis/client';
import { bounded } from '../../base/wait.ts';
import { RootwardError } from '../../errors.ts';

/** Milliseconds to connect. Short, so that a server whose engine is missing fails at start. */
const patience = 3_000;

export interface EngineClient {
  connect(): Promise<unknown>;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

export async function connectClients(clients: readonly EngineClient[], close: () => void): Promise<void> {
  let fault: unknown;
  for (const client of clients) client.on('error', (error) => (fault = error));
  try {
    const connected = Promise.all(clients.map((client) => client.connect()));
    if ('value' in (await bounded(connected, { patience }))) return;
  } catch (error) {
    fault = codeOf(error) === undefined ? (fault ?? error) : error;
  }
  close();
  throw away(fault);
}

/** Reports only the code of the error: its message may hold addresses. */
function away(cause: unknown): RootwardError<'SESSIONS_UNAVAILABLE'> {
  const code = codeOf(cause);
  const reason = `no server answers there, or it refuses this login${code === undefined ? '' : ` (${code})`}`;
  return new RootwardError('SESSIONS_UNAVAILABLE', { reason }, { cause });
}

/** The code of the system or of TLS, or the first word of an engine error. */
function codeOf(error: unknown): string | undefined {
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return /^[A-Z]{3,}\b/.exec(String(message))?.[0] ?? (cause === undefined ? undefined : codeOf(cause));
}

/** For a promise that another one races with: that one reports the failure. */
export function ignore(): void {}

/** The client library, an optional dependency. */
export type RedisModule = typeof Redis;

export interface RedisSocket {
  readonly connectTimeout: number;
  /**
   * Milliseconds of silence after which a connection with a heartbeat counts as lost, whatever the system reports.
   * Writing also counts as activity, so connections that carry commands need more: see `revive`.
   */
  readonly socketTimeout: number;
  /** Bytes. With a smaller value, commands queue in this process and the engine seems not to answer. */
  readonly highWaterMark: number;
  readonly reconnectStrategy: () => number;
}

const socket: RedisSocket = {
  connectTimeout: 2_000,
  socketTimeout: 3_000,
  highWaterMark: 1024 * 1024,
  reconnectStrategy: () => 50 + Math.floor(Math.random() * 50),
};

/** Options of every connection: while there is none, commands fail at once. */
export const clientOptions = {
  // A timer per command costs more than the command. The caller bounds its wait itself.
  commandOptions: { timeout: 0 },
  disableOfflineQueue: true,
  commandsQueueMaxLength: 20_000,
  pingInterval: 1_000,
  maintNotifications: 'disabled',
} as const;

/** A new object for each connection, because the library writes into it. */
export function socketFor(tls = false): RedisSocket | (RedisSocket & { readonly tls: true }) {
  return tls ? { ...socket, tls } : { ...socket };
}

/** Ignored: each command reports its own failure when the connection is lost. */

/** Whether the server has sharded channels, which version 7 introduced. */
export async function isSharded(send: (command: readonly string[]) => Promise<unknown>): Promise<boolean> {
  try {
    await send(['PUBSUB', 'SHARDNUMSUB', 'rootward']);
    return true;
  } catch {
    return false;
  }
}
