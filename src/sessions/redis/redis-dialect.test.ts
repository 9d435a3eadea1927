import { expect, test } from 'vitest';
import { clientOptions, ignore, isSharded, socketFor } from './redis-dialect.ts';

test('no connection, no command', () => {
  expect(clientOptions.disableOfflineQueue).toBe(true);
});

test('sockets are sought again soon, not all at the same moment, and are nobody else’s', () => {
  const [one, other] = [socketFor(), socketFor(true)];
  expect(one).not.toBe(socketFor());
  expect(one).not.toHaveProperty('tls');
  expect(other).toHaveProperty('tls', true);
  const pauses = Array.from({ length: 100 }, one.reconnectStrategy);
  expect(new Set(pauses).size).toBeGreaterThan(1);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(100);
});

test('a server that knows sharded channels has them', async () => {
  expect(await isSharded(async () => [])).toBe(true);
  expect(await isSharded(() => Promise.reject(new Error("ERR Unknown subcommand 'SHARDNUMSUB'")))).toBe(
    false,
  );
  expect(ignore()).toBeUndefined();
});
