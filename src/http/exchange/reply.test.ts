import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/http/eventually.ts';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { beginSession, call, head, openSocket, readAll, send } from '../../../test/support/http/raw.ts';
import { runProgram } from '../../../test/support/http/run-program.ts';

describe('an answer', () => {
  test('is a stream if events come before it', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const response = await send(endpoint, { headers, body: call(1, 'talk', { count: 2, bytes: 1 }) });
    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(response.text.match(/notifications\/message/g)).toHaveLength(2);
    expect(response.json()).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
  });

  test('omits events for a client that accepts JSON only', async () => {
    await using endpoint = await openEndpoint();
    const headers = { ...(await beginSession(endpoint)), accept: 'application/json' };
    const response = await send(endpoint, { headers, body: call(1, 'talk', { count: 2, bytes: 1 }) });
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.json()).toMatchObject({ id: 1 });
  });

  test('is a stream of one event for a client that accepts streams only', async () => {
    await using endpoint = await openEndpoint();
    const headers = { ...(await beginSession(endpoint)), accept: 'text/event-stream' };
    const response = await send(endpoint, { headers, body: call(1, 'echo', { text: 'x' }) });
    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(response.json()).toMatchObject({ id: 1 });
  });

  test('becomes a stream with keep-alives when it takes long', async () => {
    await using endpoint = await openEndpoint({
      limits: { streamAfterMs: 20, keepAliveMs: 20, sweepMs: 10 },
    });
    const headers = await beginSession(endpoint);
    const socket = await openSocket(endpoint);
    const body = JSON.stringify(call(1, 'wait', { text: 'a' }));
    socket.write(head(endpoint, { ...headers, 'content-length': body.length, connection: 'close' }) + body);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    await eventually(() => expect(text.match(/: still here/g)?.length).toBeGreaterThan(2));
    for (const release of endpoint.stage.release) release();
    await eventually(() => expect(text).toContain('released'));
  });
});

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

  test('is distinguished from one that reads slowly: a large answer arrives whole', async () => {
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

  test('is distinguished from one whose answer waits behind another on the same connection', async () => {
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
