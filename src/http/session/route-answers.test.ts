import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/http/eventually.ts';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { askForRoots, beginSession, call, send } from '../../../test/support/http/raw.ts';

describe('an answer to a question', () => {
  test('from another session is refused and recorded, and the right one still counts', async () => {
    await using endpoint = await openEndpoint();
    const [mine, other] = [await beginSession(endpoint), await beginSession(endpoint)];
    const { id, rest } = await askForRoots(endpoint, mine);
    const lie = { jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///etc' }] } };
    expect((await send(endpoint, { headers: other, body: lie })).status).toBe(400);
    expect(endpoint.kinds()).toContain('forged-answer');
    const truth = { jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///srv/mine' }] } };
    expect((await send(endpoint, { headers: mine, body: truth })).status).toBe(202);
    const answer = JSON.stringify((await rest.next()).value);
    expect(answer).toContain('file:///srv/mine');
    expect(answer).not.toContain('file:///etc');
  });

  test('that comes a second time is refused', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    const { id } = await askForRoots(endpoint, mine);
    const answer = { jsonrpc: '2.0', id, result: { roots: [] } };
    const statuses = [];
    for (let time = 0; time < 2; time += 1)
      statuses.push(await send(endpoint, { headers: mine, body: answer }));
    expect(statuses.map(({ status }) => status)).toEqual([202, 400]);
  });

  test.each(['x', 1, `${'a'.repeat(16)}.${'b'.repeat(16)}`, '../x', ''])(
    'to the unknown question %j is refused',
    async (id) => {
      await using endpoint = await openEndpoint();
      const mine = await beginSession(endpoint);
      const response = await send(endpoint, { headers: mine, body: { jsonrpc: '2.0', id, result: {} } });
      expect(response.status).toBe(400);
    },
  );

  test('is no longer awaited once the client has disconnected', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    const { id, socket } = await askForRoots(endpoint, mine);
    socket.destroy();
    await eventually(async () => {
      const late = { jsonrpc: '2.0', id, result: { roots: [] } };
      expect((await send(endpoint, { headers: mine, body: late })).status).toBe(400);
    });
  });

  test('is impossible without a stream: the tool fails at once', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    const headers = { ...mine, accept: 'application/json' };
    const response = await send(endpoint, { headers, body: call(1, 'roots') });
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.text).toContain('no stream of this client is open');
  });
});
