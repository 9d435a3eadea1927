import { describe, expect, test } from 'vitest';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { head, initialize, openSocket, readAll, send } from '../../../test/support/http/raw.ts';
import { isJson, readAccept } from './read-body.ts';

describe('a body', () => {
  test('that is not UTF-8 is refused, not repaired', async () => {
    await using endpoint = await openEndpoint();
    const socket = await openSocket(endpoint);
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    socket.write(head(endpoint, { 'content-length': body.length, connection: 'close' }));
    socket.write(body);
    expect(await readAll(socket)).toContain('400 Bad Request');
  });

  test('with a huge Content-Length is refused unread', async () => {
    await using endpoint = await openEndpoint();
    const socket = await openSocket(endpoint);
    socket.write(head(endpoint, { 'content-length': 10_000_000_000 }));
    expect(await readAll(socket)).toContain('413 Payload Too Large');
  });

  test('is cut when it becomes too large', async () => {
    await using endpoint = await openEndpoint({ limits: { body: 100_000 } });
    const socket = await openSocket(endpoint);
    socket.write(head(endpoint, { 'transfer-encoding': 'chunked' }));
    socket.write(`${(200_000).toString(16)}\r\n${' '.repeat(200_000)}\r\n`);
    expect(await readAll(socket)).toContain('413 Payload Too Large');
    expect(endpoint.kinds()).toEqual(['body-too-large']);
  });

  test('that does not arrive times out', async () => {
    await using endpoint = await openEndpoint({ limits: { bodyMs: 50 } });
    const socket = await openSocket(endpoint);
    socket.write(head(endpoint, { 'content-length': 100 }));
    socket.write('{');
    expect(await readAll(socket)).toContain('408 Request Timeout');
    expect(endpoint.kinds()).toEqual(['body-too-slow']);
  });

  test('whose sender disconnects causes no error', async () => {
    await using endpoint = await openEndpoint();
    const socket = await openSocket(endpoint);
    socket.write(head(endpoint, { 'content-length': 100 }));
    socket.destroy();
    expect((await send(endpoint, { body: initialize })).status).toBe(200);
  });
});

test.each<[string | undefined, boolean, boolean]>([
  [undefined, true, true],
  ['*/*', true, true],
  ['application/json, text/event-stream', true, true],
  ['Application/JSON;q=0.9', true, false],
  ['text/event-stream', false, true],
  ['application/*', true, false],
  ['text/html', false, false],
  ['', false, false],
])('%s takes JSON: %s, and streams: %s', (header, json, stream) => {
  expect(readAccept(header)).toEqual({ json, stream });
});

test.each<[string | undefined, boolean]>([
  ['application/json', true],
  [' Application/JSON ; charset=utf-8', true],
  ['application/jsonp', false],
  ['application/json-patch+json', false],
  ['text/plain; application/json', false],
  ['', false],
  [undefined, false],
])('%j is JSON: %s', (type, expected) => {
  expect(isJson(type)).toBe(expected);
});
