import type * as Redis from '@redis/client';
import { RootwardError } from '../../errors.ts';

/** Whoever starts a server wants to know soon that its engine is not there. */
const patience = 3_000;

export interface EngineClient {
  connect(): Promise<unknown>;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

export async function connectClients(clients: readonly EngineClient[], close: () => void): Promise<void> {
  let fault: unknown;
  for (const client of clients) client.on('error', (error) => (fault = error));
  const connected = Promise.all(clients.map((client) => client.connect()));
  connected.catch(ignore);
  const timer = new AbortController();
  try {
    await Promise.race([connected, failAfter(patience, timer.signal)]);
  } catch (error) {
    close();
    throw away(codeOf(error) === undefined ? (fault ?? error) : error);
  } finally {
    timer.abort();
  }
}

const late = Symbol('late');

function failAfter(milliseconds: number, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(() => reject(late), milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}

/** Of what went wrong only its code is told: the rest may hold addresses. */
function away(cause: unknown): RootwardError<'SESSIONS_UNAVAILABLE'> {
  const code = codeOf(cause);
  const reason = `nothing answers there, or not to this login${code === undefined ? '' : ` (${code})`}`;
  return new RootwardError('SESSIONS_UNAVAILABLE', { reason }, { cause });
}

/** Of the system, of TLS, or the word with which the engine begins. */
function codeOf(error: unknown): string | undefined {
  if (error === late) return undefined;
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return /^[A-Z]{3,}\b/.exec(String(message))?.[0] ?? (cause === undefined ? undefined : codeOf(cause));
}

/** Its failure is told by who raced with it. */
export function ignore(): void {}

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

/** Servers before version 7 have one kind of channel only. */
export async function isSharded(send: (command: readonly string[]) => Promise<unknown>): Promise<boolean> {
  try {
    await send(['PUBSUB', 'SHARDNUMSUB', 'rootward']);
    return true;
  } catch {
    return false;
  }
}
