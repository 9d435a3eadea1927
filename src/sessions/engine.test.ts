import { expect, test, vi } from 'vitest';
import { Engine, type EngineCommand } from './engine.ts';
import type { RedisLink } from './redis-link.ts';
import { redisScripts } from './redis-scripts.ts';

function open(send: RedisLink['send']): { engine: Engine; seen: EngineCommand[] } {
  const seen: EngineCommand[] = [];
  const link = { inTurn: true, send, subscribe: async () => {}, publish: async () => 0, close: () => {} };
  return { engine: new Engine({ link, patience: 50, observe: (command) => seen.push(command) }), seen };
}

test('a server that does not know a script is told it once', async () => {
  const send = vi.fn<RedisLink['send']>(async (_key, [word]) => {
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

test.each([
  ['READONLY You cannot write rw:{secret}', 'the engine says READONLY'],
  ['Socket closed unexpectedly', 'there is no connection'],
])('a failure %j is one of ours, without what it holds', async (message, reason) => {
  const { engine, seen } = open(async () => {
    throw new Error(message);
  });
  await expect(engine.send('k', 'GET', 'k')).rejects.toMatchObject({
    code: 'SESSIONS_UNAVAILABLE',
    data: { reason },
  });
  expect(seen).toMatchObject([{ name: 'get', ok: false }]);
  engine.close();
});

test('silence is a failure', async () => {
  const { engine } = open(() => new Promise(() => {}));
  await expect(engine.send('k', 'GET', 'k')).rejects.toThrow('no answer within 50 ms');
  engine.close();
});
