import { setTimeout } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { describe, expect, test, vi } from 'vitest';
import { SessionTransport } from '../../src/http/session-transport.ts';
import { eventually } from '../http/eventually.ts';
import { exampleServer, newStage } from '../http/example-server.ts';
import { beginSession, call, openStream, send } from '../http/raw.ts';
import { canRun, needs } from '../system-programs.ts';
import { timed } from './gate.ts';
import { openCall } from './open-call.ts';
import { openPair } from './open-pair.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 90_000 });

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

describe.runIf(canRun('redis-server'))(`two endpoints with one engine${needs('redis-server')}`, () => {
  test('F9: where streams for notifications are wanted, one on another node takes the place of the first', async () => {
    await using pair = await openPair({ endpoint: { notifications: true } });
    const headers = await beginSession(pair.one);
    const first = await openStream(pair.one, headers);
    const ended = first.next();
    const second = await openStream(pair.other, headers);
    expect((await ended).done).toBe(true);
    const third = await openStream(pair.one, headers);
    expect((await second.next()).done).toBe(true);
    const told = third.next();
    pair.other.notify({ method: 'notifications/tools/list_changed' }, headers['mcp-session-id']);
    expect((await told).value).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  test('F11: a session that is silent for its whole life is gone everywhere, one with a call under way is not', async () => {
    const limits = { keepAliveMs: 100, sweepMs: 50 };
    await using pair = await openPair({ store: { idle: 1_000 }, endpoint: { limits } });
    const { one, other } = pair;
    const [busy, silent] = [await beginSession(one), await beginSession(one)];
    const long = send(one, { headers: busy, body: call(1, 'wait', { text: 'long' }) });
    await eventually(() => expect(one.stage.waits.begun).toEqual(['long']));
    await setTimeout(2_500);
    for (const node of [one, other]) {
      const gone = await send(node, { headers: silent, body: call(1, 'echo', { text: 'x' }) });
      expect(gone.status).toBe(404);
      expect(gone.json()).toMatchObject({ error: { code: -32_001 } });
    }
    expect(await pair.redis.command('EXISTS', `rw:{${silent['mcp-session-id']}}`)).toBe(':0');
    for (const release of one.stage.release) release();
    expect((await long).text).toContain('released');
    const next = await send(other, { headers: busy, body: call(2, 'echo', { text: 'still here' }) });
    expect(next.text).toContain('still here');
    await expect(beginSession(other)).resolves.toBeDefined();
  });

  test('F16: a server that asks for roots outside of any request fails at once instead of waiting', async () => {
    const stage = newStage();
    const outcomes: { readonly error?: Error; readonly milliseconds: number }[] = [];
    const createServer: ReturnType<typeof exampleServer> = (connection) => {
      const server = exampleServer(stage)(connection);
      server.server.oninitialized = () => {
        void timed(server.server.listRoots()).then((outcome) => outcomes.push(outcome));
      };
      return server;
    };
    await using pair = await openPair({ endpoint: { createServer } });
    const headers = await beginSession(pair.one);
    expect((await send(pair.other, { headers, body: initialized })).status).toBe(202);
    await eventually(() => expect(outcomes).toHaveLength(1));
    expect(outcomes[0]?.error?.message).toContain('no stream of this client is open');
    expect(outcomes[0]?.milliseconds).toBeLessThan(1_000);
  });

  test('F17: 1,000 calls that are cancelled or left while they wait for roots leave nothing behind', async () => {
    await using pair = await openPair();
    const { one, other } = pair;
    const sessions = await Promise.all(Array.from({ length: 10 }, () => beginSession(one)));
    const cancelOnce = async (headers: Record<string, string>, id: number): Promise<void> => {
      const stream = await openCall(one, headers, call(id, 'roots'));
      await stream.message(0);
      const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
      if (id % 2 === 0) stream.destroy();
      else expect((await send(other, { headers, body })).status).toBe(202);
      await stream.closed;
    };
    const cancelMany = async (headers: Record<string, string>): Promise<void> => {
      for (let id = 1; id <= 100; id += 1) await cancelOnce(headers, id);
    };
    await Promise.all(sessions.map(cancelMany));
    // Counted by the engine of JavaScript itself, after it has thrown away what nobody needs.
    await eventually(() => expect(queryObjects(SessionTransport)).toBeLessThan(5));
    const [headers] = sessions as [Record<string, string>];
    const held = await openCall(one, headers, call(101, 'roots'));
    expect(queryObjects(SessionTransport)).toBeGreaterThan(0);
    held.destroy();
  });
});
