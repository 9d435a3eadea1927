import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { openEndpoint, token } from '../../test/support/http/open-endpoint.ts';
import { head, initialize, openSocket, readAll, send } from '../../test/support/http/raw.ts';

describe('listen', () => {
  test.each<[string, object, string]>([
    ['without a token', { tokens: [] }, 'no token'],
    ['with a short token', { tokens: [{ token: 'x'.repeat(31) }] }, 'fewer than 32'],
    ['with a token that no client can send', { tokens: [{ token: `${'x'.repeat(40)} y` }] }, 'characters'],
    ['with a page that is no origin', { origins: ['https://app.example/'] }, 'is no origin'],
    ['with all pages', { origins: ['*'] }, 'is no origin'],
    ['without host names, if other machines can reach it', { host: '0.0.0.0' }, 'names'],
    ['an address this machine does not have', { host: '192.0.2.1', hosts: ['x'] }, 'no such address'],
  ])('refuses %s', async (_what, options, reason) => {
    const opening = openEndpoint(options);
    await expect(opening).rejects.toThrow(reason);
    await expect(opening).rejects.toMatchObject({ code: 'CANNOT_LISTEN' });
  });

  test('refuses a port that is taken', async () => {
    await using endpoint = await openEndpoint();
    await expect(openEndpoint({ port: endpoint.port })).rejects.toThrow('something else listens there');
  });

  test('answers to its configured host names and to no others', async () => {
    await using endpoint = await openEndpoint({
      host: '0.0.0.0',
      hosts: ['mcp.example'],
      origins: ['https://mcp.example'],
    });
    const headers = { host: 'mcp.example', origin: 'https://mcp.example' };
    expect((await send(endpoint, { headers, body: initialize })).status).toBe(200);
    expect((await send(endpoint, { headers: { host: 'other.example' }, body: initialize })).status).toBe(403);
  });
});

test('answers at the address it reports', async () => {
  await using endpoint = await openEndpoint({ host: '127.0.0.2' });
  expect(new URL(endpoint.url).hostname).toBe('127.0.0.2');
  const body = JSON.stringify(initialize);
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  expect((await fetch(endpoint.url, { method: 'POST', headers, body })).status).toBe(200);
});

describe('a client that waits for 100 Continue', () => {
  const waiting = { expect: '100-continue', 'content-length': 10, connection: 'close' };

  test('gets it', async () => {
    await using endpoint = await openEndpoint();
    const socket = await openSocket(endpoint);
    const body = JSON.stringify(initialize);
    socket.write(head(endpoint, { ...waiting, 'content-length': body.length }));
    const [first] = await once(socket, 'data');
    expect(String(first)).toContain('100 Continue');
    socket.write(body);
    expect(await readAll(socket)).toContain('200 OK');
  });

  test.each<[string, Record<string, string | number>, string]>([
    ['has no token', { authorization: 'Bearer x' }, '401 Unauthorized'],
    ['comes from another origin', { origin: 'https://evil.example' }, '403 Forbidden'],
    ['would send too much', { 'content-length': 5_000_000 }, '413 Payload Too Large'],
  ])('does not get it if it %s', async (_what, headers, status) => {
    await using endpoint = await openEndpoint();
    const socket = await openSocket(endpoint);
    socket.write(head(endpoint, { ...waiting, ...headers }));
    const answer = await readAll(socket);
    expect(answer).toContain(status);
    expect(answer).not.toContain('100 Continue');
  });
});

describe('headers', () => {
  test('that are too large are refused', async () => {
    await using endpoint = await openEndpoint();
    const socket = await openSocket(endpoint);
    socket.write(head(endpoint, { 'x-flood': 'x'.repeat(20_000) }));
    expect(await readAll(socket)).toContain('431 Request Header Fields Too Large');
  });

  test('that never end time out', async () => {
    await using endpoint = await openEndpoint({ limits: { headersMs: 100, sweepMs: 50 } });
    const socket = await openSocket(endpoint);
    socket.write('POST /mcp HTTP/1.1\r\nHost: x\r\n');
    expect(await readAll(socket)).toContain('408 Request Timeout');
  });

  test('that are ambiguous are refused', async () => {
    await using endpoint = await openEndpoint();
    const socket = await openSocket(endpoint);
    socket.write(head(endpoint, { 'content-length': 5, 'transfer-encoding': 'chunked' }));
    socket.write('0\r\n\r\n');
    expect(await readAll(socket)).toContain('400 Bad Request');
  });
});
