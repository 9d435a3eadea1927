import { describe, expect, test } from 'vitest';
import { openEndpoint } from '../../test/http/open-endpoint.ts';
import { head, initialize, openSocket, readAll, send } from '../../test/http/raw.ts';

describe('listen', () => {
  test.each<[string, object, string]>([
    ['without a token', { tokens: [] }, 'there is no token'],
    ['with a short token', { tokens: [{ token: 'x'.repeat(31) }] }, 'fewer than 32'],
    ['where others can reach it under any name', { host: '0.0.0.0' }, 'names'],
    ['on an address of somebody else', { host: '192.0.2.1', hosts: ['x'] }, 'no such address'],
  ])('refuses %s', async (_what, options, reason) => {
    const opening = openEndpoint(options);
    await expect(opening).rejects.toThrow(reason);
    await expect(opening).rejects.toMatchObject({ code: 'CANNOT_LISTEN' });
  });

  test('refuses a port that is taken', async () => {
    await using endpoint = await openEndpoint();
    await expect(openEndpoint({ port: endpoint.port })).rejects.toThrow('something else listens there');
  });

  test('answers to the names that it was given, and to no others', async () => {
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

describe('headers', () => {
  test('that are too many bytes are refused', async () => {
    await using endpoint = await openEndpoint();
    const socket = await openSocket(endpoint);
    socket.write(head(endpoint, { 'x-flood': 'x'.repeat(20_000) }));
    expect(await readAll(socket)).toContain('431 Request Header Fields Too Large');
  });

  test('that do not end are not waited for', async () => {
    await using endpoint = await openEndpoint({ limits: { headersMs: 100, sweepMs: 50 } });
    const socket = await openSocket(endpoint);
    socket.write('POST /mcp HTTP/1.1\r\nHost: x\r\n');
    expect(await readAll(socket)).toContain('408 Request Timeout');
  });

  test('that could be read in two ways are refused', async () => {
    await using endpoint = await openEndpoint();
    const socket = await openSocket(endpoint);
    socket.write(head(endpoint, { 'content-length': 5, 'transfer-encoding': 'chunked' }));
    socket.write('0\r\n\r\n');
    expect(await readAll(socket)).toContain('400 Bad Request');
  });
});
