import { queryObjects } from 'node:v8';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { SessionTransport } from '../../../src/http/session/session-transport.ts';
import { eventually } from '../../support/http/eventually.ts';
import { exampleServer, newStage } from '../../support/http/example-server.ts';
import { beginSession, call, openStream, send } from '../../support/http/raw.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { attackScale } from '../../support/race/seed.ts';
import { timed } from '../../support/redis/gate.ts';
import { openCall } from '../../support/redis/open-call.ts';
import { openPair } from '../../support/redis/open-pair.ts';
import { openLine, postPatiently, streamEnd } from '../../support/redis/raw-line.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 90_000 });

/** Of F17, 500 calls each. */
const sessions = 2 * attackScale;

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
    await using pair = await openPair({ store: { idle: 2_000 }, endpoint: { limits } });
    const { one, other } = pair;
    const [busy, silent] = [await beginSession(one), await beginSession(one)];
    const long = send(one, { headers: busy, body: call(1, 'wait', { text: 'long' }) });
    await eventually(() => expect(one.stage.waits.begun).toEqual(['long']));
    const kept = (): Promise<string> => pair.redis.command('EXISTS', `rw:{${silent['mcp-session-id']}}`);
    await eventually(async () => expect(await kept()).toBe(':0'));
    for (const node of [one, other]) {
      const gone = await send(node, { headers: silent, body: call(1, 'echo', { text: 'x' }) });
      expect(gone.status).toBe(404);
      expect(gone.json()).toMatchObject({ error: { code: -32_001 } });
    }
    for (const release of one.stage.release) release();
    expect((await long).text).toContain('released');
    const next = await send(other, { headers: busy, body: call(2, 'echo', { text: 'still here' }) });
    expect(next.text).toContain('still here');
    await expect(beginSession(other)).resolves.toBeDefined();
  });

  test('F16: a server that asks for roots outside of any request fails instead of waiting', async () => {
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
    expect(outcomes[0]?.milliseconds).toBeLessThan(10_000);
  });

  test(`F17: ${sessions * 500} calls that are cancelled or left while they wait for roots leave nothing behind`, async () => {
    await using pair = await openPair({ endpoint: { createServer: askingServer } });
    const { one, other } = pair;
    const cancelMany = async (): Promise<number> => {
      const headers = await beginSession(one);
      const [near, far] = [await openLine(one), await openLine(other)];
      let calling = await openLine(one);
      for (let id = 1; id <= 100; id += 1) {
        await postPatiently(calling, headers, call(id, 'roots'), 'roots/list');
        const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
        if (id % 2 === 0) {
          calling.destroy();
          calling = await openLine(one);
        } else {
          // No client may make nodes tell each other everything: of what goes through the other one a part is enough.
          const cancelling = id % 5 === 0 ? far : near;
          expect(await postPatiently(cancelling, headers, body, streamEnd)).toContain('HTTP/1.1 202');
          expect(await calling.read(streamEnd)).toContain('The call was cancelled');
        }
      }
      for (const line of [calling, near, far]) line.destroy();
      return 100;
    };
    /** Ten calls in each request, as older clients may send them, without waiting for one of them. */
    const leaveMany = async (): Promise<number> => {
      const headers = await beginSession(one, { version: '2025-03-26' });
      for (let round = 0; round < 40; round += 1) {
        const line = await openLine(one);
        const calls = Array.from({ length: 10 }, (_, index) => call(round * 10 + index, 'roots'));
        await postPatiently(line, headers, calls, (text) => text.split('roots/list').length > 10);
        line.destroy();
      }
      return 400;
    };
    const cancelled = await Promise.all(
      Array.from({ length: sessions }, async () => (await cancelMany()) + (await leaveMany())),
    );
    expect(cancelled.reduce((sum, count) => sum + count)).toBe(sessions * 500);
    // Counted by the engine of JavaScript itself, after a collection of garbage.
    await eventually(() => expect(queryObjects(SessionTransport)).toBeLessThan(5));
    // So soon after the storm a new session may be asked to wait.
    const headers = await eventually(() => beginSession(one));
    const held = await openCall(one, headers, call(101, 'roots'));
    expect(queryObjects(SessionTransport)).toBeGreaterThan(0);
    held.destroy();
  });
});

const nothing = z.object({});

/** One tool, which asks for roots: what costs the least. */
function askingServer(): McpServer {
  const server = new McpServer({ name: 'asking', version: '1' });
  server.registerTool('roots', { inputSchema: nothing }, async (_args, ctx) => {
    await ctx.mcpReq.send({ method: 'roots/list' }, { timeout: 5_000 });
    return { content: [] };
  });
  return server;
}
