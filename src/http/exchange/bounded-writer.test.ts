import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/http/eventually.ts';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { beginSession, call, head, openSocket, readAll, send } from '../../../test/support/http/raw.ts';
import { runProgram } from '../../../test/support/http/run-program.ts';

describe('a client that does not read', () => {
  test('is cut off when it leaves too much unread, and the call is cancelled', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    const socket = await openSocket(endpoint);
    socket.pause();
    const body = JSON.stringify(call(1, 'talk', { count: 3_200, bytes: 65_536 }));
    socket.write(head(endpoint, { ...mine, 'content-length': body.length }) + body);
    await eventually(() => expect(endpoint.kinds()).toContain('slow-reader'));
    socket.destroy();
  });

  test('is cut off when it reads nothing for a while, however little is waiting', async () => {
    await using endpoint = await openEndpoint({ limits: { stallMs: 100, sweepMs: 20 } });
    const mine = await beginSession(endpoint);
    const socket = await openSocket(endpoint);
    socket.pause();
    const body = JSON.stringify(call(1, 'large', { count: 1, bytes: 30_000_000 }));
    socket.write(head(endpoint, { ...mine, 'content-length': body.length }) + body);
    await eventually(() => expect(endpoint.kinds()).toContain('slow-reader'));
    socket.destroy();
  });

  test('is told from one that reads slowly: a large answer arrives whole', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    const response = await send(endpoint, {
      headers: mine,
      body: call(1, 'large', { count: 1, bytes: 8_000_000 }),
    });
    expect(response.text.length).toBeGreaterThan(8_000_000);
    expect(endpoint.kinds()).not.toContain('slow-reader');
  });

  test('costs no memory, even with an answer of 200 MiB', { timeout: 60_000 }, async () => {
    const bounded = (await runProgram('unread-stream.mjs')) as { grown: number; cut: boolean };
    expect(bounded.cut).toBe(true);
    expect(bounded.grown).toBeLessThan(64);
    const naive = (await runProgram('unread-stream.mjs', 'naive')) as { grown: number };
    expect(naive.grown).toBeGreaterThan(150);
  });

  test('is told from one whose answer waits behind another on the same connection', async () => {
    await using endpoint = await openEndpoint({ limits: { stallMs: 50, sweepMs: 10 } });
    const mine = await beginSession(endpoint);
    const socket = await openSocket(endpoint);
    for (const [id, tool] of [
      [1, 'wait'],
      [2, 'echo'],
    ] as const) {
      const body = JSON.stringify(call(id, tool, { text: 'x' }));
      const more = id === 2 ? { connection: 'close' } : {};
      socket.write(head(endpoint, { ...mine, ...more, 'content-length': body.length }) + body);
    }
    await eventually(() => expect(endpoint.stage.built.length).toBe(3));
    // A client that really does not read is cut off meanwhile.
    const unread = await openSocket(endpoint);
    unread.pause();
    const large = JSON.stringify(call(3, 'large', { count: 1, bytes: 30_000_000 }));
    unread.write(head(endpoint, { ...mine, 'content-length': large.length }) + large);
    await eventually(() => expect(endpoint.kinds()).toContain('slow-reader'));
    for (const release of endpoint.stage.release) release();
    const text = await readAll(socket);
    expect(text).toContain('released');
    expect(text).toContain('"id":2');
  });
});
