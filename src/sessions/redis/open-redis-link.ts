import { RootwardError } from '../../errors.ts';
import {
  clientOptions,
  connectClients,
  ignore,
  isSharded,
  type RedisModule,
  socketFor,
} from './connect-clients.ts';
import { openSentinelLink } from './open-sentinel-link.ts';
import type { RedisAddress } from './redis-address.ts';
import type { CommandLink, RedisLink } from './redis-link.ts';

/**
 * Connects to the engine. Without a connection, commands fail at once and it reconnects ten times a second.
 *
 * @throws {RootwardError} `INVALID_CONFIG` where the client library is not installed
 */
export async function openRedisLink(
  address: RedisAddress,
  load: () => Promise<RedisModule>,
): Promise<RedisLink> {
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
      return openSentinelLink(redis, address);
  }
}

/** Loads the client library, an optional dependency. */
export function loadRedisClient(): Promise<RedisModule> {
  return import('@redis/client');
}

async function openSingle(
  { createClient }: RedisModule,
  { url }: RedisAddress & { kind: 'single' },
): Promise<RedisLink> {
  const client = createClient({ ...clientOptions, url, socket: socketFor() });
  const listener = createClient({ ...clientOptions, url, socket: socketFor() });
  const close = (): void => {
    for (const each of [client, listener]) if (each.isOpen) each.destroy();
  };
  await connectClients([client, listener], close);
  const sharded = await isSharded((command) => client.sendCommand([...command]));
  const seekAgain = seekerOf([client, listener]);
  return {
    inTurn: true,
    lines: () => [lineOf(client, listener)],
    send: (_key, command) => client.sendCommand(command).catch(seekAgain),
    async subscribe(channel, hear) {
      await (sharded ? listener.sSubscribe(channel, hear) : listener.subscribe(channel, hear));
    },
    publish: (channel, text) => client.sendCommand([sharded ? 'SPUBLISH' : 'PUBLISH', channel, text]),
    close,
  };
}

async function openCluster(
  { createCluster }: RedisModule,
  { urls, tls, login }: RedisAddress & { kind: 'cluster' },
): Promise<RedisLink> {
  const client = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    // Applies also to nodes that the cluster names itself, of which only host and port are known.
    defaults: { ...clientOptions, ...login, socket: socketFor(tls) },
    commandOptions: clientOptions.commandOptions,
    // A node that cannot be reached may have been replaced.
    topologyRefreshOnReconnectionAttemptStrategy: 1_000,
  });
  const close = (): void => {
    if (client.isOpen) client.destroy();
  };
  await connectClients([client], close);
  return {
    inTurn: false,
    lines: () => client.masters.flatMap(({ client: part }) => (part === undefined ? [] : [lineOf(part)])),
    send: (key, command) => client.sendCommand(key, false, [...command]),
    subscribe: (channel, hear) => client.sSubscribe(channel, hear),
    publish: (channel, text) => client.sendCommand(channel, false, ['SPUBLISH', channel, text]),
    close,
  };
}

interface Client {
  readonly isReady: boolean;
  sendCommand(command: string[]): Promise<unknown>;
  destroy(): void;
  connect(): Promise<unknown>;
}

/** Milliseconds for which a server may leave a ping unanswered. */
const silence = 1_000;

/**
 * The connection for commands together with its companions. After a renewal the library subscribes to all channels
 * again.
 */
function lineOf(client: Client, ...others: readonly Client[]): CommandLink {
  return {
    silence,
    ping: () => client.sendCommand(['PING']),
    renew() {
      for (const each of [client, ...others]) {
        // It is reconnecting already; a second attempt would open a second connection.
        if (!each.isReady) continue;
        each.destroy();
        each.connect().catch(ignore);
      }
    },
  };
}

/** Milliseconds between two attempts to leave the wrong server. */
const seekEvery = 1_000;

/**
 * Handles a server that refuses writes because it is no longer the primary. That connection would stay open, so it
 * is closed and the address leads to the new primary.
 */
function seekerOf(clients: readonly Pick<Client, 'sendCommand'>[]): (fault: unknown) => never {
  let last = -Infinity;
  return (fault) => {
    if (String(fault).includes('READONLY') && performance.now() - last > seekEvery) {
      last = performance.now();
      for (const client of clients) client.sendCommand(['QUIT']).catch(ignore);
    }
    throw fault;
  };
}
