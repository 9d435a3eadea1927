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
 * Connects to the engine. Commands are refused at once while there is no connection, and it is sought again
 * ten times a second.
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

/** Loads the optional dependency. */
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
    // Also for those that a cluster names by itself, of which only host and port are known.
    defaults: { ...clientOptions, ...login, socket: socketFor(tls) },
    commandOptions: clientOptions.commandOptions,
    // Who cannot be reached may have been replaced.
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

/** Milliseconds that a server may not even answer a ping. */
const silence = 1_000;

/** The one of commands, and who goes with it. The library opens it again with all that it had subscribed to. */
function lineOf(client: Client, ...others: readonly Client[]): CommandLink {
  return {
    silence,
    ping: () => client.sendCommand(['PING']),
    renew() {
      for (const each of [client, ...others]) {
        // It is being sought already, and two who seek find two.
        if (!each.isReady) continue;
        each.destroy();
        each.connect().catch(ignore);
      }
    },
  };
}

/** How often a connection to the wrong server is given up at most, in milliseconds. */
const seekEvery = 1_000;

/**
 * Whoever takes no writes is not the primary any more, and the connection would last: it is given up, so that
 * the address leads to the one that is.
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
