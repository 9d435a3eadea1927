import { expect, test, vi } from 'vitest';
import {
  clientOptions,
  type EngineClient,
  connectClients,
  ignore,
  isSharded,
  socketFor,
} from './connect-clients.ts';

function open(connect: () => Promise<unknown>, fault?: unknown): EngineClient {
  return {
    connect,
    on: (_event, listener) => fault !== undefined && listener(fault),
  };
}

const fails = (fault: unknown) => async (): Promise<never> => {
  throw fault;
};

test('all of them are connected, or all are closed', async () => {
  const close = vi.fn<() => void>();
  await connectClients([open(async () => {}), open(async () => {})], close);
  expect(close).not.toHaveBeenCalled();
  const one = fails(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
  await expect(connectClients([open(async () => {}), open(one)], close)).rejects.toThrow('ECONNREFUSED');
  expect(close).toHaveBeenCalledOnce();
});

test.each([
  ['of the system', Object.assign(new Error('connect 10.0.0.5'), { code: 'ETIMEDOUT' }), 'ETIMEDOUT'],
  ['of the engine', new Error('WRONGPASS for user secret'), 'WRONGPASS'],
  ['of its cause', new Error('at 10.0.0.5', { cause: new Error('NOAUTH') }), 'NOAUTH'],
])('a failure is reported by its code alone, %s', async (_whose, error, code) => {
  const connecting = connectClients([open(fails(error))], () => {});
  await expect(connecting).rejects.toMatchObject({
    code: 'SESSIONS_UNAVAILABLE',
    data: { reason: `no server answers there, or it refuses this login (${code})` },
  });
});

test('an error without a code is reported by the one that came before it', async () => {
  const before = Object.assign(new Error('no'), { code: 'EPROTO' });
  await expect(connectClients([open(fails(new Error('closed')), before)], () => {})).rejects.toThrow(
    'EPROTO',
  );
});

test('without a connection, commands fail at once', () => {
  expect(clientOptions.disableOfflineQueue).toBe(true);
});

test('sockets reconnect soon, at random intervals, with options of their own', () => {
  const [one, other] = [socketFor(), socketFor(true)];
  expect(one).not.toBe(socketFor());
  expect(one).not.toHaveProperty('tls');
  expect(other).toHaveProperty('tls', true);
  const pauses = Array.from({ length: 100 }, one.reconnectStrategy);
  expect(new Set(pauses).size).toBeGreaterThan(1);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(100);
});

test('sharded channels are detected', async () => {
  expect(await isSharded(async () => [])).toBe(true);
  expect(await isSharded(() => Promise.reject(new Error("ERR Unknown subcommand 'SHARDNUMSUB'")))).toBe(
    false,
  );
  expect(ignore()).toBeUndefined();
});
