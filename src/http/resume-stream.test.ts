import { describe, expect, test } from 'vitest';
import { eventually } from '../../test/http/eventually.ts';
import { openEndpoint, otherToken, type TestEndpoint } from '../../test/http/open-endpoint.ts';
import { beginSession, call, head, openSocket, send } from '../../test/http/raw.ts';

describe('a client that lost the stream of a call', () => {
  test('is told that the call was not completed, and the tool hears of it', async () => {
    await using endpoint = await openEndpoint({ limits });
    const headers = await beginSession(endpoint);
    const event = await loseStream(endpoint, headers);
    const response = await resume(endpoint, { ...headers, 'last-event-id': event });
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({
      id: 1,
      error: { code: -32_000, message: expect.stringContaining('not completed') },
    });
    await eventually(() => expect(endpoint.stage.waits.aborted).toEqual(['a']));
    expect(endpoint.kinds()).toContain('lost-call');
  });

  test('learns nothing about the streams of somebody else', async () => {
    await using endpoint = await openEndpoint({ limits });
    const mine = await beginSession(endpoint);
    const event = await loseStream(endpoint, mine);
    const other = await beginSession(endpoint);
    const stranger = await beginSession(endpoint, { headers: { authorization: `Bearer ${otherToken}` } });
    for (const headers of [
      other,
      stranger,
      { ...stranger, 'mcp-session-id': mine['mcp-session-id'] ?? '' },
    ]) {
      expect((await resume(endpoint, { ...headers, 'last-event-id': event })).status).toBe(404);
    }
    expect((await resume(endpoint, { ...mine, 'last-event-id': event })).status).toBe(200);
  });

  test.each(['x', 'A'.repeat(60)])('cannot make up an event: %s', async (event) => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    expect((await resume(endpoint, { ...headers, 'last-event-id': event })).status).toBe(404);
  });

  test('of an older revision gets no event that it would take for a message', async () => {
    await using endpoint = await openEndpoint({ limits });
    const headers = await beginSession(endpoint, { version: '2025-06-18' });
    const socket = await openSocket(endpoint);
    const body = JSON.stringify(call(1, 'roots'));
    socket.write(head(endpoint, { ...headers, 'content-length': body.length }) + body);
    const text = await readUntil(socket, 'roots/list');
    expect(text).not.toContain('id: ');
    socket.destroy();
  });
});

const limits = { streamAfterMs: 1, sweepMs: 10 };

/** Calls a tool that waits, up to the first event, and breaks the connection. */
async function loseStream(endpoint: TestEndpoint, headers: Record<string, string>): Promise<string> {
  const socket = await openSocket(endpoint);
  const body = JSON.stringify(call(1, 'wait', { text: 'a' }));
  socket.write(head(endpoint, { ...headers, 'content-length': body.length }) + body);
  const text = await readUntil(socket, 'data: \n');
  socket.destroy();
  return /^id: (\S+)$/m.exec(text)?.[1] ?? '';
}

async function readUntil(socket: Awaited<ReturnType<typeof openSocket>>, end: string): Promise<string> {
  socket.setEncoding('utf8');
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes(end)) break;
  }
  return text;
}

function resume(endpoint: TestEndpoint, headers: Record<string, string>): ReturnType<typeof send> {
  return send(endpoint, { method: 'GET', headers });
}
