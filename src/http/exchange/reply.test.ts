import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/http/eventually.ts';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { beginSession, call, head, openSocket, send } from '../../../test/support/http/raw.ts';

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
