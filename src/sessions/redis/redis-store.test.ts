import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RedisServer, startRedis } from '../../../test/support/redis/redis-server.ts';
import { describeSessionStore } from '../../../test/support/redis/describe-session-store.ts';
import { canRun, needs } from '../../../test/support/processes/system-programs.ts';
import { parseRoots } from '../../path/root.ts';
import type { SessionStore } from '../record/session-store.ts';
import type { RedisStoreOptions } from './redis-names.ts';
import { openRedisStore } from './redis-store.ts';

const secrets = [randomBytes(32)];
/** Milliseconds after which something hangs; how soon it is told is a row of the benchmarks. */
const hangs = 5_000;

describe.runIf(canRun('redis-server'))(`sessions in Redis${needs('redis-server')}`, () => {
  let redis: RedisServer;
  const opened: SessionStore[] = [];

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    for (const store of opened.splice(0)) await store.close();
    await redis[Symbol.asyncDispose]();
  });

  const open = async (options: Partial<RedisStoreOptions> = {}): Promise<SessionStore> => {
    const store = await openRedisStore({ address: redis.address, secrets, ...options });
    opened.push(store);
    return store;
  };

  describeSessionStore('in Redis', async (limits) => {
    await redis.command('FLUSHALL');
    return openRedisStore({ address: redis.address, secrets, ...limits });
  });

  describe('two nodes', () => {
    test('see the same sessions', async () => {
      const [one, other] = [await open(), await open()];
      const id = await begin(one);
      await other.invalidate(id);
      expect(await one.touch(id)).toMatchObject({ generation: 1 });
      expect(await other.keepAnswer(id, 1, listed)).toBe(true);
      expect(await one.touch(id)).toMatchObject({ answer: listed, answered: 1 });
    });

    test('that stay take the grant of one that is gone, one of them', async () => {
      const [gone, one, other] = [await open(), await open(), await open()];
      const id = await begin(gone);
      const record = await gone.touch(id);
      if (record !== undefined) await gone.keepGrant({ ...record, switched: { text: '/srv/app' } });
      await gone.close();
      await one.remove(id);
      expect(await other.grants()).toContain(id);
      const taken = await Promise.all([one.takeGrant(id), other.takeGrant(id)]);
      expect(taken.flatMap((grant) => grant?.switched?.text ?? [])).toEqual(['/srv/app']);
    });

    test('deliver to each other, and report a missing node', async () => {
      const [one, other] = [await open(), await open()];
      const heard = vi.fn<() => boolean>(() => true);
      other.onDeliver(heard);
      const envelope = { session: 's', principal: 'p', message: { text: 'hällo' } };
      expect(await one.deliver(other.nodeId, envelope)).toBe('accepted');
      await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith(envelope), 20_000);
      await other.close();
      await vi.waitFor(async () => expect(await one.deliver(other.nodeId, envelope)).toBe('no-node'), 20_000);
    });

    test('all receive an announcement', async () => {
      const [one, other] = [await open(), await open()];
      const heard = vi.fn<() => boolean>(() => true);
      other.onDeliver(heard);
      const envelope = { session: 's', principal: 'p', message: {} };
      await one.announce(envelope);
      await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith(envelope), 20_000);
    });

    test('never share an id', async () => {
      const one = await open();
      await expect(open({ nodeId: one.nodeId })).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
    });

    test('make the same digest, and one with another secret does not', async () => {
      const [one, other, stranger] = [await open(), await open(), await open({ secrets: [randomBytes(32)] })];
      expect(one.digest('a', 'b')).toBe(other.digest('a', 'b'));
      expect(one.digest('a', 'b')).not.toBe(stranger.digest('a', 'b'));
      expect(one.digest('a', 'b')).not.toBe(one.digest('ab', ''));
      expect(other.isDigest(one.digest('a', 'b'), 'a', 'b')).toBe(true);
      expect(other.isDigest(stranger.digest('a', 'b'), 'a', 'b')).toBe(false);
    });

    test('understand each other while the key is changed', async () => {
      const [before, after] = [secrets, [randomBytes(32), ...secrets]];
      const [one, other] = [await open({ secrets: [...before, ...after] }), await open({ secrets: after })];
      const heard = vi.fn<() => boolean>(() => true);
      one.onDeliver(heard);
      await other.deliver(one.nodeId, { session: 's', principal: 'p', message: {} });
      await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce(), 20_000);
      expect(await one.lookup(other.openStream({ session: 's', request: 1 }))).toBeDefined();
      expect(one.isDigest(other.digest('a'), 'a')).toBe(true);
    });

    test('close a stream of a lost node, which is fenced from then on', async () => {
      const [owner, survivor] = [await open(), await open()];
      const stream = owner.openStream({ session: 's', request: 1 });
      expect(await survivor.lookup(stream)).toMatchObject({ node: owner.nodeId, open: true });
      expect(await survivor.closeStream(stream)).toBe(true);
      expect(await owner.closeStream(stream)).toBe(false);
    });

    test('know a stream whose node is gone as not open', async () => {
      const [owner, survivor] = [await open(), await open()];
      const stream = owner.openStream({ session: 's', request: 1 });
      await owner.close();
      expect(await survivor.lookup(stream)).toMatchObject({ session: 's', request: 1, open: false });
    });
  });

  describe('data that another program writes into the engine', () => {
    test('is dropped and counted, and its neighbour is not', async () => {
      const forged = vi.fn<() => void>();
      const [one, node] = [await open(), await open({ forged })];
      const heard = vi.fn<() => boolean>(() => true);
      node.onDeliver(heard);
      const stranger = await open({ secrets: [randomBytes(32)] });
      const envelope = { session: 's', principal: 'p', message: {} };
      await stranger.deliver(node.nodeId, envelope);
      await redis.command('SPUBLISH', `rw:{${node.nodeId}}`, 'nonsense');
      await vi.waitFor(() => expect(forged).toHaveBeenCalledTimes(2), 20_000);
      expect(heard).not.toHaveBeenCalled();
      await one.deliver(node.nodeId, envelope);
      await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce(), 20_000);
    });

    test('is not a record: another session, or changed permissions', async () => {
      const forged = vi.fn<() => void>();
      const node = await open({ forged });
      const [id, copy] = [await begin(node), randomUUID()];
      await node.keepAnswer(id, 0, listed);
      const key = `rw:{${id}}`;
      // The same bytes elsewhere, and the same place with one word changed: a plain copy shows that both arrive.
      await redis.command('COPY', key, `rw:{${copy}}`);
      expect(await node.touch(copy)).toBeUndefined();
      const change = "local s = redis.call('GET', KEYS[1]):gsub('/srv/app', '/srv/etc')";
      await redis.command('EVAL', `${change} redis.call('SET', KEYS[1], s)`, '1', key);
      expect(await node.touch(id)).toBeUndefined();
      expect(forged).toHaveBeenCalledTimes(2);
      const back = "local s = redis.call('GET', KEYS[1]):gsub('/srv/etc', '/srv/app')";
      await redis.command('EVAL', `${back} redis.call('SET', KEYS[1], s)`, '1', key);
      expect(await node.touch(id)).toMatchObject({ answer: listed });
    });
  });

  describe('two deployments in one engine', () => {
    test('share no messages and no keys if their prefixes differ', async () => {
      const forged = vi.fn<() => void>();
      const node = await open({ forged });
      const neighbour = await open({ prefix: 'other', secrets: [randomBytes(32)] });
      const same = await open({ secrets: [randomBytes(32)] });
      const id = await begin(neighbour);
      await neighbour.announce({ session: 's', principal: 'p', message: {} });
      expect(await node.touch(id)).toBeUndefined();
      expect(forged).not.toHaveBeenCalled();
      // Without a prefix of its own it would have been heard.
      await same.announce({ session: 's', principal: 'p', message: {} });
      await vi.waitFor(() => expect(forged).toHaveBeenCalledOnce(), 20_000);
    });
  });

  test('a record outlives the key that sealed it, if it is used while both are known', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    const before = await open({ secrets: [old] });
    const [used, silent] = [await begin(before), await begin(before)];
    await before.keepAnswer(used, 0, listed);
    const commands: string[] = [];
    const during = await open({ secrets: [fresh, old], observe: ({ name }) => commands.push(name) });
    await during.touch(used);
    await vi.waitFor(() => expect(commands).toContain('reseal'), 20_000);
    const after = await open({ secrets: [fresh] });
    expect(await after.touch(used)).toMatchObject({ answer: listed });
    expect(await after.touch(silent)).toBeUndefined();
  });

  describe('the cost', () => {
    test('of each step is one command', async () => {
      const commands: string[] = [];
      const store = await open({ observe: ({ name }) => commands.push(name), lease: 600_000 });
      const id = await begin(store);
      commands.length = 0;
      await store.touch(id, ['1']);
      await store.keepAnswer(id, 0, listed);
      await store.invalidate(id);
      store.openStream({ session: id, request: 1 });
      expect(commands).toEqual(['touch', 'keepAnswer', 'invalidate']);
    });

    test('of a session is less than a kilobyte, roots and place in the index included', async () => {
      const store = await open();
      const before = await memory(redis);
      for (let count = 0; count < 500; count += 1) {
        await store.keepAnswer(await begin(store), 0, listed);
      }
      expect((await memory(redis)) - before).toBeLessThan(500 * 1_000);
    });

    test('of a life is one write in its second half', async () => {
      const store = await open();
      const id = await begin(store);
      await store.touch(id);
      await redis.command('PEXPIRE', `rw:{${id}}`, '1000000');
      await store.touch(id);
      expect(await ttl(redis, id)).toBeLessThanOrEqual(1_000_000);
      await redis.command('PEXPIRE', `rw:{${id}}`, '800000');
      await store.touch(id);
      expect(await ttl(redis, id)).toBeGreaterThan(1_700_000);
    });
  });

  test('a secret that is too short is refused', async () => {
    await expect(open({ secrets: [randomBytes(16)] })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });
});

describe.runIf(canRun('redis-server'))(`an engine that goes away${needs('redis-server')}`, () => {
  test('is reported soon, and reconnects by itself', async () => {
    await using redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'always');
    const store = await openRedisStore({ address: redis.address, secrets });
    const id = await begin(store);
    await redis.kill();
    const asked = performance.now();
    await expect(store.touch(id)).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
    expect(performance.now() - asked).toBeLessThan(hangs);
    await vi.waitFor(() => expect(store.available()).toBe(false), 20_000);
    await redis.start();
    await vi.waitFor(async () => expect(await store.touch(id)).toBeDefined(), {
      timeout: hangs,
      interval: 10,
    });
    await vi.waitFor(() => expect(store.available()).toBe(true), 20_000);
    await store.close();
  });

  test('is reported soon when it hangs', async () => {
    await using redis = await startRedis();
    const store = await openRedisStore({ address: redis.address, secrets });
    const id = await begin(store);
    redis.pause();
    const asked = performance.now();
    await expect(store.touch(id)).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
    expect(performance.now() - asked).toBeLessThan(hangs);
    redis.resume();
    await vi.waitFor(async () => expect(await store.touch(id)).toBeDefined(), 20_000);
    await store.close();
  });

  test('does not mistake a request for a repetition after a timeout', async () => {
    await using redis = await startRedis();
    const store = await openRedisStore({ address: redis.address, secrets });
    const id = await begin(store);
    redis.pause();
    await expect(store.touch(id, ['once'])).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
    redis.resume();
    await vi.waitFor(async () => expect(await store.touch(id)).toBeDefined(), 20_000);
    expect(await store.touch(id, ['once'])).not.toHaveProperty('repeated');
    expect(await store.touch(id, ['once'])).toMatchObject({ repeated: true });
    await store.close();
  });

  test('gets no commands from callers that were refused at once', async () => {
    await using redis = await startRedis();
    const store = await openRedisStore({ address: redis.address, secrets });
    const id = await begin(store);
    // The first time a program is sent as a whole.
    await store.touch(id, ['known']);
    const before = await evaluations(redis.address);
    redis.pause();
    await expect(store.touch(id, ['first'])).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
    for (let index = 0; index < 100; index += 1)
      await expect(store.touch(id, [`${index}`])).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
    redis.resume();
    await vi.waitFor(async () => expect(await store.touch(id)).toBeDefined(), 20_000);
    // The one that may have arrived is taken back.
    expect((await evaluations(redis.address)) - before).toBe(1);
    await store.close();
  });

  test('stays within its time limit while others are refused', async () => {
    await using redis = await startRedis();
    const store = await openRedisStore({ address: redis.address, secrets });
    const id = await begin(store);
    redis.pause();
    const others = setInterval(() => void store.touch(id).catch(() => {}), 10);
    for (let round = 0; round < 3; round += 1) {
      const asked = performance.now();
      await expect(store.touch(id)).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
      expect(performance.now() - asked).toBeLessThan(hangs);
    }
    clearInterval(others);
    redis.resume();
    await store.close();
  });

  test('that was never there is reported at the start', async () => {
    await using redis = await startRedis();
    await redis.kill();
    await expect(openRedisStore({ address: redis.address, secrets })).rejects.toMatchObject({
      code: 'SESSIONS_UNAVAILABLE',
    });
  });

  test('starts again with another epoch: no answer from before counts', async () => {
    await using redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'always');
    const store = await openRedisStore({ address: redis.address, secrets });
    const id = await begin(store);
    await store.keepAnswer(id, 0, listed);
    expect(await store.touch(id)).toMatchObject({ generation: 0, answered: 0 });
    await redis.kill();
    await redis.start();
    const record = await vi.waitFor(() => store.touch(id), { timeout: 5_000, interval: 10 });
    expect(record?.answered).toBeLessThan(record?.generation ?? 0);
    expect(await store.keepAnswer(id, 1, listed)).toBe(false);
    expect(await store.keepAnswer(id, record?.generation ?? 0, listed)).toBe(true);
    await store.close();
  });
});

describe.runIf(canRun('redis-server'))(`a cluster${needs('redis-server')}`, () => {
  test('serves as one server does', async () => {
    await using redis = await startRedis('--cluster-enabled', 'yes');
    await redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await vi.waitFor(
      async () => expect(await redis.command('CLUSTER', 'INFO')).toContain('state:ok'),
      10_000,
    );
    const address = redis.address.replace('redis:', 'redis+cluster:');
    const [one, other] = [
      await openRedisStore({ address, secrets }),
      await openRedisStore({ address, secrets }),
    ];
    const id = await begin(one);
    expect(await other.invalidate(id)).toBe(1);
    const heard = vi.fn<() => boolean>(() => true);
    other.onDeliver(heard);
    expect(await one.deliver(other.nodeId, { session: id, principal: 'p', message: {} })).toBe('accepted');
    await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce(), 20_000);
    expect(await one.remove(id)).toBe(true);
    expect(await one.count()).toBe(0);
    await Promise.all([one.close(), other.close()]);
  });
});

const listed = {
  state: 'listed',
  roots: parseRoots(
    [
      { uri: 'file:///srv/app', name: 'app' },
      { uri: 'file:///srv/docs', name: 'docs' },
    ],
    { platform: 'posix' },
  ).roots,
} as const;

async function begin(store: SessionStore): Promise<string> {
  const id = randomUUID();
  const clientInfo = { name: 'a-client-of-somebody', title: 'A client of somebody', version: '1.2.3' };
  const capabilities = { roots: { listChanged: true }, elicitation: {} };
  const initialize = { protocolVersion: '2025-11-25', clientInfo, capabilities };
  await store.create({ id, principal: 'me', protocolVersion: '2025-11-25', initialize });
  return id;
}

async function memory(redis: RedisServer): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.command('INFO', 'memory'))?.[1]);
}

async function ttl(redis: RedisServer, id: string): Promise<number> {
  return Number((await redis.command('PTTL', `rw:{${id}}`)).slice(1));
}

/** How many programs were sent to it as a whole. */
async function evaluations(address: string): Promise<number> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.write('INFO commandstats\r\nQUIT\r\n');
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return Number(/cmdstat_eval:calls=(\d+)/.exec(text)?.[1] ?? 0);
}
