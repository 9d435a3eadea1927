import { expect, test, vi } from 'vitest';
import { RedisEngine, type EngineCommand } from './engine.ts';
import type { RedisLink } from './redis-link.ts';
import { redisScripts } from './redis-scripts.ts';

type Send = RedisLink['send'];

function open(send: Send, more: Partial<RedisLink> = {}): { engine: RedisEngine; seen: EngineCommand[] } {
  const seen: EngineCommand[] = [];
  const link: RedisLink = {
    inTurn: true,
    lines: () => [],
    send,
    subscribe: async () => {},
    publish: async () => 0,
    close: () => {},
    ...more,
  };
  return { engine: new RedisEngine({ link, patience: 50, observe: (command) => seen.push(command) }), seen };
}

const never = new Promise<never>(() => {});

test('a server that lacks a script gets it once', async () => {
  const send = vi.fn<Send>(async (_key, [word]) => {
    if (word === 'EVALSHA') throw new Error('NOSCRIPT No matching script');
    return 1;
  });
  const { engine, seen } = open(send);
  expect(await engine.run('count', ['k'], ['a'])).toBe(1);
  expect(send.mock.calls).toEqual([
    ['k', ['EVALSHA', redisScripts.count.sha, '1', 'k', 'a']],
    ['k', ['EVAL', redisScripts.count.lua, '1', 'k', 'a']],
  ]);
  expect(seen).toMatchObject([{ name: 'count', ok: true }]);
  engine.close();
});

test('but not after the caller has stopped waiting', async () => {
  let answer: (error: Error) => void = () => {};
  const send = vi.fn<Send>(() => new Promise((_resolve, reject) => (answer = reject)));
  const { engine } = open(send);
  await expect(engine.run('count', ['k'])).rejects.toThrow('no answer');
  answer(new Error('NOSCRIPT No matching script'));
  await new Promise(setImmediate);
  expect(send).toHaveBeenCalledOnce();
  engine.close();
});

test.each([
  ['READONLY You cannot write rw:{secret}', 'the engine says READONLY'],
  ['Socket closed unexpectedly', 'there is no connection'],
])('a failure %j becomes SESSIONS_UNAVAILABLE, without its details', async (message, reason) => {
  const { engine, seen } = open(async () => {
    throw new Error(message);
  });
  await expect(engine.send('k', 'GET', 'k')).rejects.toMatchObject({
    code: 'SESSIONS_UNAVAILABLE',
    data: { reason },
  });
  expect(seen).toMatchObject([{ name: 'get', ok: false }]);
  expect(engine.silent).toBe(false);
  engine.close();
});

test('after a timeout commands fail at once, until a ping is answered', async () => {
  const send = vi.fn<Send>(() => never);
  let pong: (answer: unknown) => void = () => {};
  const line = {
    ping: () => new Promise((resolve) => (pong = resolve)),
    renew: () => {},
    silence: 10_000,
  };
  const { engine } = open(send, { lines: () => [line] });
  await expect(engine.send('k', 'GET', 'k')).rejects.toThrow('no answer within 50 ms');
  expect(engine.silent).toBe(true);
  for (let time = 0; time < 3; time += 1) {
    await expect(engine.send('k', 'GET', 'k')).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
  }
  expect(send).toHaveBeenCalledOnce();
  // A command that must follow the one that timed out is still sent.
  engine.sendAfter('forget', ['k'], ['1']);
  expect(send).toHaveBeenLastCalledWith('k', ['EVAL', redisScripts.forget.lua, '1', 'k', '1']);
  pong('PONG');
  await vi.waitFor(() => expect(engine.silent).toBe(false), 20_000);
  send.mockResolvedValue('here');
  expect(await engine.send('k', 'GET', 'k')).toBe('here');
  engine.close();
});

test('a connection that stays silent is renewed', async () => {
  const renew = vi.fn<() => void>();
  const { engine } = open(() => never, { lines: () => [{ ping: () => never, renew, silence: 50 }] });
  await expect(engine.send('k', 'GET', 'k')).rejects.toThrow('no answer');
  await vi.waitFor(() => expect(renew).toHaveBeenCalledOnce(), 20_000);
  engine.close();
});

test('a silent part of a cluster does not affect the others', async () => {
  const send: Send = (key) => (key === 'silent' ? never : Promise.resolve('here'));
  const lines = () => [{ ping: () => never, renew: () => {}, silence: 50 }];
  const { engine } = open(send, { inTurn: false, lines });
  await expect(engine.send('silent', 'GET')).rejects.toThrow('no answer');
  expect(await engine.send('other', 'GET')).toBe('here');
  engine.close();
});
