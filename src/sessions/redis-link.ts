import type * as Redis from '@redis/client';
import { RootwardError } from '../errors.ts';
import type { RedisAddress } from './redis-address.ts';

/** The engine, as far as it is used: commands, and channels that go where their name leads. */
export interface RedisLink {
  /** The key says which part of a cluster is meant. */
  send(key: string, command: readonly string[]): Promise<unknown>;
  subscribe(channel: string, listener: (text: string) => void): Promise<void>;
  /** How many heard it. */
  publish(channel: string, text: string): Promise<number>;
  close(): void;
}

type Module = typeof Redis;

/**
 * Connects to the engine. Commands are refused at once while there is no connection, and it is sought again
 * ten times a second.
 *
 * @throws {RootwardError} `INVALID_CONFIG` where the client library is not installed
 */
export async function openRedisLink(address: RedisAddress, load: () => Promise<Module>): Promise<RedisLink> {
  const redis = await load().catch((error: unknown) => {
    const reason = 'it needs a package that is not there; run: npm install @redis/client';
    throw new RootwardError('INVALID_CONFIG', { where: '--sessions', reason }, { cause: error });
  });
  switch (address.kind) {
    case 'single':
      return openSingle(redis, address);
    case 'cluster':
      return openCluster(redis, address);
    case 'sentinel':
      return openSentinel(redis, address);
  }
}

/** Loads the optional dependency. */
export function loadRedisClient(): Promise<Module> {
  return import('@redis/client');
}

/** Silence that long on a connection with a heartbeat means that it is lost, whatever the system says. */
const socketTimeout = 5_000;

const socket = {
  connectTimeout: 2_000,
  socketTimeout,
  reconnectStrategy: (): number => 50 + Math.floor(Math.random() * 50),
} as const;

const options = {
  disableOfflineQueue: true,
  commandsQueueMaxLength: 20_000,
  pingInterval: 1_000,
  maintNotifications: 'disabled',
} as const;

async function openSingle(
  { createClient }: Module,
  { url }: RedisAddress & { kind: 'single' },
): Promise<RedisLink> {
  const client = createClient({ ...options, url, socket });
  const listener = createClient({ ...options, url, socket });
  for (const each of [client, listener]) each.on('error', ignore);
  const close = (): void => {
    for (const each of [client, listener]) if (each.isOpen) each.destroy();
  };
  await connect([client, listener], close);
  const sharded = await isSharded((command) => client.sendCommand([...command]));
  return {
    send: (_key, command) => client.sendCommand(command),
    async subscribe(channel, hear) {
      await (sharded ? listener.sSubscribe(channel, hear) : listener.subscribe(channel, hear));
    },
    publish: (channel, text) => client.sendCommand([sharded ? 'SPUBLISH' : 'PUBLISH', channel, text]),
    close,
  };
}

async function openCluster(
  { createCluster }: Module,
  { urls, login }: RedisAddress & { kind: 'cluster' },
): Promise<RedisLink> {
  const client = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: { ...options, ...login, socket },
  });
  client.on('error', ignore);
  const close = (): void => {
    if (client.isOpen) client.destroy();
  };
  await connect([client], close);
  return {
    send: (key, command) => client.sendCommand(key, false, [...command]),
    subscribe: (channel, hear) => client.sSubscribe(channel, hear),
    publish: (channel, text) => client.sendCommand(channel, false, ['SPUBLISH', channel, text]),
    close,
  };
}

async function openSentinel(
  { createSentinel }: Module,
  { name, places, tls, login }: RedisAddress & { kind: 'sentinel' },
): Promise<RedisLink> {
  const nodeClientOptions = { ...options, ...login, socket: tls ? { ...socket, tls } : socket };
  const client = createSentinel({
    name,
    sentinelRootNodes: [...places],
    nodeClientOptions,
    scanInterval: 500,
  });
  client.on('error', ignore);
  const close = (): void => {
    if (client.isOpen) client.destroy().catch(ignore);
  };
  await connect([client], close);
  const sharded = await isSharded((command) => client.sendCommand(false, [...command]));
  return {
    send: (_key, command) => client.sendCommand(false, [...command]),
    async subscribe(channel, hear) {
      await (sharded ? client.sSubscribe(channel, hear) : client.subscribe(channel, hear));
    },
    publish: (channel, text) => client.sendCommand(false, [sharded ? 'SPUBLISH' : 'PUBLISH', channel, text]),
    close,
  };
}

/** A lost connection is not news: each command says by itself that it failed. */
function ignore(): void {}

/** Whoever starts a server wants to know soon that its engine is not there. */
const patience = 3_000;

async function connect(
  clients: readonly { connect(): Promise<unknown> }[],
  close: () => void,
): Promise<void> {
  const connected = Promise.all(clients.map((client) => client.connect()));
  connected.catch(ignore);
  const timer = new AbortController();
  try {
    await Promise.race([connected, refuseAfter(patience, timer.signal)]);
  } catch (error) {
    close();
    throw RootwardError.is(error) ? error : away('nothing answers there, or not to this login', error);
  } finally {
    timer.abort();
  }
}

function refuseAfter(milliseconds: number, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(() => reject(away(`no connection within ${milliseconds} ms`)), milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}

function away(reason: string, cause?: unknown): RootwardError<'SESSIONS_UNAVAILABLE'> {
  return new RootwardError('SESSIONS_UNAVAILABLE', { reason }, { cause });
}

/** Servers before version 7 have one kind of channel only. */
async function isSharded(send: (command: readonly string[]) => Promise<unknown>): Promise<boolean> {
  try {
    await send(['PUBSUB', 'SHARDNUMSUB', 'rootward']);
    return true;
  } catch {
    return false;
  }
}
