import type * as Redis from '@redis/client';
import { RootwardError } from '../errors.ts';
import type { RedisAddress } from './redis-address.ts';

/** The engine, as far as it is used: commands, and channels that go where their name leads. */
export interface RedisLink {
  /** Whether all commands go to one server, on one connection: then they are answered in their order. */
  readonly inTurn: boolean;
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
  // A timer for each command costs more than the command; whoever sends one has a watch of its own.
  commandOptions: { timeout: 0 },
  disableOfflineQueue: true,
  commandsQueueMaxLength: 20_000,
  pingInterval: 1_000,
  maintNotifications: 'disabled',
} as const;

async function openSingle(
  { createClient }: Module,
  { url }: RedisAddress & { kind: 'single' },
): Promise<RedisLink> {
  const client = createClient({ ...options, url, socket: socketFor() });
  const listener = createClient({ ...options, url, socket: socketFor() });
  const close = (): void => {
    for (const each of [client, listener]) if (each.isOpen) each.destroy();
  };
  await connect([client, listener], close);
  const sharded = await isSharded((command) => client.sendCommand([...command]));
  const seekAgain = seekerOf([client, listener]);
  return {
    inTurn: true,
    send: (_key, command) => client.sendCommand(command).catch(seekAgain),
    async subscribe(channel, hear) {
      await (sharded ? listener.sSubscribe(channel, hear) : listener.subscribe(channel, hear));
    },
    publish: (channel, text) => client.sendCommand([sharded ? 'SPUBLISH' : 'PUBLISH', channel, text]),
    close,
  };
}

async function openCluster(
  { createCluster }: Module,
  { urls, tls, login }: RedisAddress & { kind: 'cluster' },
): Promise<RedisLink> {
  const client = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    // Also for those that a cluster names by itself, of which only host and port are known.
    defaults: { ...options, ...login, socket: socketFor(tls) },
    commandOptions: options.commandOptions,
  });
  const close = (): void => {
    if (client.isOpen) client.destroy();
  };
  await connect([client], close);
  return {
    inTurn: false,
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
  // Sentinels have the same login, or none: one that wants none takes any.
  const nodeClientOptions = { ...options, ...login, socket: socketFor(tls) };
  const client = createSentinel({
    name,
    sentinelRootNodes: [...places],
    nodeClientOptions,
    sentinelClientOptions: nodeClientOptions,
    commandOptions: options.commandOptions,
    scanInterval: 500,
  });
  const close = (): void => {
    if (client.isOpen) client.destroy().catch(ignore);
  };
  await connect([client], close);
  const sharded = await isSharded((command) => client.sendCommand(false, [...command]));
  return {
    inTurn: true,
    send: (_key, command) => client.sendCommand(false, [...command]),
    async subscribe(channel, hear) {
      await (sharded ? client.sSubscribe(channel, hear) : client.subscribe(channel, hear));
    },
    publish: (channel, text) => client.sendCommand(false, [sharded ? 'SPUBLISH' : 'PUBLISH', channel, text]),
    close,
  };
}

/** Another one each time: the library writes into it. */
function socketFor(tls = false): typeof socket | (typeof socket & { readonly tls: true }) {
  return tls ? { ...socket, tls } : { ...socket };
}

/** A lost connection is not news: each command says by itself that it failed. */
function ignore(): void {}

/** How often a connection to the wrong server is given up at most, in milliseconds. */
const seekEvery = 1_000;

/**
 * Whoever takes no writes is not the primary any more, and the connection would last: it is given up, so that
 * the address leads to the one that is.
 */
function seekerOf(
  clients: readonly { sendCommand(command: string[]): Promise<unknown> }[],
): (fault: unknown) => never {
  let last = -Infinity;
  return (fault) => {
    if (String(fault).includes('READONLY') && performance.now() - last > seekEvery) {
      last = performance.now();
      for (const client of clients) client.sendCommand(['QUIT']).catch(ignore);
    }
    throw fault;
  };
}

/** Whoever starts a server wants to know soon that its engine is not there. */
const patience = 3_000;

interface Connectable {
  connect(): Promise<unknown>;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

async function connect(clients: readonly Connectable[], close: () => void): Promise<void> {
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

/** Servers before version 7 have one kind of channel only. */
async function isSharded(send: (command: readonly string[]) => Promise<unknown>): Promise<boolean> {
  try {
    await send(['PUBSUB', 'SHARDNUMSUB', 'rootward']);
    return true;
  } catch {
    return false;
  }
}
