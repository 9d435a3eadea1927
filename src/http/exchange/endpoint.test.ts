import { expect, test } from 'vitest';
import { openMemoryStore } from '../../sessions/memory-store.ts';
import { defaultLimits } from './http-limits.ts';
import { createRequestStateCodec, newSealingKey } from './request-state.ts';
import { createTokenBucket, giveUp, Endpoint } from './endpoint.ts';
import { createMeters } from './telemetry.ts';

function newSite(): Endpoint {
  return new Endpoint({
    store: openMemoryStore(),
    limits: defaultLimits,
    createServer: () => ({ connect: async () => {}, close: async () => {} }),
    codec: createRequestStateCodec({ keys: [newSealingKey()] }),
    notifications: false,
    announces: undefined,
    repeatable: () => false,
    meters: createMeters(),
    record: () => {
      throw new Error('no');
    },
  });
}

test('an error in `record` does not break the endpoint', () => {
  expect(() => newSite().record({ kind: 'internal' })).not.toThrow();
});

test('rejects request state that was sealed for another principal', () => {
  const endpoint = newSite();
  const [mine, theirs] = [endpoint.connectionFor('me'), endpoint.connectionFor('you')];
  const text = mine.requestState.seal({ step: 1 });
  expect(mine.requestState.verify(text)).toEqual({ step: 1 });
  expect(() => theirs.requestState.verify(text)).toThrow('not one of ours');
});

test('the ids of questions name the node', () => {
  const endpoint = newSite();
  const waiter = { session: 's', principal: 'p', answer: () => {}, progress: () => {} };
  expect(endpoint.waiting.expect(waiter).startsWith(`${endpoint.store.nodeId}.`)).toBe(true);
});

test('an abandoned call is answered', () => {
  expect(giveUp('a', 'why')).toEqual({ jsonrpc: '2.0', id: 'a', error: { code: -32_000, message: 'why' } });
});

test('limits announcements to other nodes, for each principal separately', () => {
  const endpoint = newSite();
  const told = Array.from({ length: 2_000 }, () => endpoint.mayAnnounce('loud')).filter(Boolean).length;
  expect(told).toBeGreaterThanOrEqual(1_000);
  expect(told).toBeLessThan(1_500);
  expect(endpoint.mayAnnounce('quiet')).toBe(true);
});

test('a token bucket allows a burst, then a fixed rate', () => {
  let time = 0;
  const take = createTokenBucket({ perSecond: 2, burst: 3, now: () => time });
  const yes = (): number => Array.from({ length: 10 }, take).filter(Boolean).length;
  expect(yes()).toBe(3);
  time = 499;
  expect(yes()).toBe(0);
  time = 1_200;
  expect(yes()).toBe(2);
  time = 1_000_000;
  expect(yes()).toBe(3);
});
