import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/support/http/eventually.ts';
import {
  openEndpoint,
  otherToken,
  type TestEndpoint,
  token,
} from '../../../test/support/http/open-endpoint.ts';
import { head, openSocket, readAll, readEvents, send } from '../../../test/support/http/raw.ts';

const changed = { method: 'notifications/tools/list_changed' } as const;
const announces = ['toolsListChanged'] as const;

async function connect({ url }: TestEndpoint): Promise<Client> {
  const client = new Client(
    { name: 'tester', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

const named = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };

function listen(id: string | number, notifications: unknown = { toolsListChanged: true }): object {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { notifications, _meta: meta };
  return { jsonrpc: '2.0', id, method: 'subscriptions/listen', params };
}

/** Subscribes without an SDK, and waits for the acknowledgement. */
async function subscribe(
  endpoint: TestEndpoint,
  id: string | number,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ first: unknown; rest: AsyncGenerator; leave: () => void }> {
  const socket = await openSocket(endpoint);
  const body = JSON.stringify(listen(id));
  socket.write(head(endpoint, { ...named, ...headers, 'content-length': body.length }) + body);
  const rest = readEvents(socket);
  return { first: (await rest.next()).value, rest, leave: () => socket.destroy() };
}

const about = (id: string | number): object => ({ 'io.modelcontextprotocol/subscriptionId': id });

test('a real client gets the notifications it asked for, until the endpoint closes', async () => {
  const endpoint = await openEndpoint({ announces });
  const client = await connect(endpoint);
  let count = 0;
  client.setNotificationHandler(changed.method, () => void (count += 1));
  const subscription = await client.listen({ toolsListChanged: true, promptsListChanged: true });
  expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
  endpoint.notify(changed);
  endpoint.notify({ method: 'notifications/prompts/list_changed' });
  endpoint.notify(changed);
  await eventually(() => expect(count).toBe(2));
  await endpoint.close();
  expect(await subscription.closed).toBe('graceful');
  await client.close();
});

test('removes the subscription of a client that disconnects', async () => {
  await using endpoint = await openEndpoint({ announces, limits: { subscriptions: 1 } });
  const client = await connect(endpoint);
  const subscription = await client.listen({ toolsListChanged: true });
  await expect(client.listen({ toolsListChanged: true })).rejects.toThrow('Too many subscriptions');
  await subscription.close();
  await eventually(async () => {
    const again = await client.listen({ toolsListChanged: true });
    await again.close();
  });
  await client.close();
});

test('the first message acknowledges the subscription, and every message carries its id', async () => {
  await using endpoint = await openEndpoint({ announces });
  const { first, rest } = await subscribe(endpoint, 'mine');
  expect(first).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { toolsListChanged: true }, _meta: about('mine') },
  });
  endpoint.notify({ ...changed, params: { a: 1 } });
  expect((await rest.next()).value).toEqual({
    jsonrpc: '2.0',
    ...changed,
    params: { a: 1, _meta: about('mine') },
  });
});

test('one token cannot use up the subscriptions of another', async () => {
  await using endpoint = await openEndpoint({ announces, limits: { subscriptionsPerToken: 1 } });
  await subscribe(endpoint, 1);
  const response = await send(endpoint, { headers: named, body: listen(2) });
  expect(response.status).toBe(503);
  expect(response.headers['retry-after']).toBeDefined();
  const { first } = await subscribe(endpoint, 3, { authorization: `Bearer ${otherToken}` });
  expect(first).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
});

test('subscriptions do not count as calls', async () => {
  await using endpoint = await openEndpoint({ announces, limits: { calls: 1 } });
  for (const id of [1, 2, 3]) await subscribe(endpoint, id);
  const client = await connect(endpoint);
  expect(await client.callTool({ name: 'echo', arguments: { text: 'x' } })).toMatchObject({
    content: [{ text: 'x' }],
  });
  await client.close();
});

test('a silent subscription is kept alive, and ends after its maximum duration', async () => {
  const limits = { keepAliveMs: 20, sweepMs: 10, subscriptionMs: 200 };
  await using endpoint = await openEndpoint({ announces, limits });
  const socket = await openSocket(endpoint);
  const body = JSON.stringify(listen(7));
  socket.write(head(endpoint, { ...named, connection: 'close', 'content-length': body.length }) + body);
  const text = await readAll(socket);
  expect(text).toContain(': still here');
  expect(text).toContain('"id":7,"result":{"resultType":"complete"');
});

test('a subscription to nothing ends at once', async () => {
  await using endpoint = await openEndpoint({ announces });
  const response = await send(endpoint, { headers: named, body: listen(1, { promptsListChanged: true }) });
  expect(response.text).toContain('"notifications":{}');
  expect(response.json()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
});

test.each([null, ['toolsListChanged'], 'all'])('rejects %j', async (notifications) => {
  await using endpoint = await openEndpoint({ announces });
  const response = await send(endpoint, { headers: named, body: listen(1, notifications) });
  expect(response.json()).toMatchObject({ id: 1, error: { code: -32_602 } });
});

test('refuses a client that does not accept streams', async () => {
  await using endpoint = await openEndpoint({ announces });
  const headers = { ...named, accept: 'application/json' };
  expect((await send(endpoint, { headers, body: listen(1) })).status).toBe(406);
});

test('an endpoint that announces nothing passes the request to the server', async () => {
  await using endpoint = await openEndpoint();
  const response = await send(endpoint, { headers: named, body: listen(1) });
  expect([response.status, response.json().error?.code]).toEqual([404, -32_601]);
});
