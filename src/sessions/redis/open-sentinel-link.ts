import { setTimeout } from 'node:timers/promises';
import {
  clientOptions,
  connectClients,
  ignore,
  isSharded,
  type RedisModule,
  socketFor,
} from './connect-clients.ts';
import type { RedisAddress } from './redis-address.ts';
import type { RedisLink } from './redis-link.ts';

type SentinelAddress = RedisAddress & { kind: 'sentinel' };

/** Connects to the primary that sentinels name, and to the next one when they name another. */
export async function openSentinelLink(module: RedisModule, address: SentinelAddress): Promise<RedisLink> {
  const client = createSentinel(module, address);
  const state = { closed: false, renewing: false };
  const close = (): void => {
    state.closed = true;
    if (client.isOpen) client.destroy().catch(ignore);
  };
  await connectClients([client], close);
  const send = (command: readonly string[]): Promise<unknown> =>
    state.renewing ? Promise.reject(new Error('No connection')) : client.sendCommand(false, [...command]);
  const channels = createChannels(client, await isSharded(send));
  const renew = async (): Promise<void> => {
    state.renewing = true;
    while (!state.closed && !(await reopen(client, channels))) await setTimeout(100);
    state.renewing = false;
    // `close` ran during the renewal, when no connection was open.
    if (state.closed && client.isOpen) await client.destroy().catch(ignore);
  };
  return {
    inTurn: true,
    lines: () => [{ ping: () => send(['PING']), renew, silence }],
    send: (_key, command) => send(command),
    subscribe: channels.subscribe,
    publish: async (channel, text) => Number(await send([channels.publish, channel, text])),
    close,
  };
}

/**
 * Milliseconds. Longer than for a single server: usually the primary is gone and the sentinels are electing
 * another.
 */
const silence = 5_000;

type Sentinel = ReturnType<typeof createSentinel>;

function createSentinel(module: RedisModule, { name, places, tls, login }: SentinelAddress) {
  // Sentinels use the same login or none; one without a login ignores it.
  const options = { ...clientOptions, ...login, socket: socketFor(tls) };
  return module.createSentinel({
    name,
    sentinelRootNodes: [...places],
    nodeClientOptions: options,
    sentinelClientOptions: options,
    commandOptions: clientOptions.commandOptions,
    // A scan starts at the first sentinel and delays every command; sentinels announce changes themselves.
    scanInterval: 0,
  });
}

interface Channels {
  /** The command that publishes. */
  readonly publish: string;
  readonly subscribe: RedisLink['subscribe'];
  /** Subscribes again after a new connection, because the library forgets its channels. */
  restore(): Promise<void>;
}

function createChannels(client: Sentinel, sharded: boolean): Channels {
  const listeners = new Map<string, (text: string) => void>();
  const listen = async (channel: string, hear: (text: string) => void): Promise<void> => {
    await (sharded ? client.sSubscribe(channel, hear) : client.subscribe(channel, hear));
  };
  return {
    publish: sharded ? 'SPUBLISH' : 'PUBLISH',
    async subscribe(channel, hear) {
      await listen(channel, hear);
      listeners.set(channel, hear);
    },
    async restore() {
      for (const [channel, hear] of listeners) await listen(channel, hear);
    },
  };
}

async function reopen(client: Sentinel, channels: Channels): Promise<boolean> {
  try {
    await client.destroy();
    await client.connect();
    await channels.restore();
    return true;
  } catch {
    return false;
  }
}
