import { describe, expect, test } from 'vitest';
import { eventually } from '../support/http/eventually.ts';
import { clientKinds, connectClient, sessionKinds } from '../support/http/clients.ts';
import { openEndpoint } from '../support/http/open-endpoint.ts';

describe.each(clientKinds)('a client of SDK %s', (kind) => {
  test('calls a tool', async () => {
    await using endpoint = await openEndpoint();
    await using client = await connectClient(kind, endpoint);
    expect(await client.call('echo', { text: 'hällo' })).toBe('hällo');
    expect(client.errors).toEqual([]);
  });

  test('is asked for its roots while it waits for its answer', async () => {
    await using endpoint = await openEndpoint();
    await using client = await connectClient(kind, endpoint);
    expect(JSON.parse(await client.call('roots'))).toMatchObject({
      roots: [{ uri: 'file:///srv/app', name: 'app' }],
    });
    expect(client.asked()).toBe(1);
    expect(client.errors).toEqual([]);
  });

  test('is served by a server of its own for each request', async () => {
    await using endpoint = await openEndpoint();
    await using client = await connectClient(kind, endpoint);
    const before = endpoint.stage.built.length;
    await Promise.all(Array.from({ length: 20 }, (_, index) => client.call('echo', { text: `${index}` })));
    expect(endpoint.stage.built).toHaveLength(before + 20);
  });
});

describe.each(sessionKinds)('a session of SDK %s', (kind) => {
  test('is the same for every request, and knows its client', async () => {
    await using endpoint = await openEndpoint();
    await using client = await connectClient(kind, endpoint);
    const session = client.sessionId();
    expect(session).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(await client.call('who'))).toEqual({ session, client: 'tester', era: 'legacy' });
    await client.call('remember', { text: 'app' });
    expect(JSON.parse(await client.call('memory'))).toMatchObject({
      switched: { text: 'app' },
      initialize: { clientInfo: { name: 'tester' } },
    });
  });

  test('knows of a change of roots once the client is told that it does', async () => {
    await using endpoint = await openEndpoint();
    await using client = await connectClient(kind, endpoint);
    for (let generation = 1; generation <= 5; generation += 1) {
      await client.rootsChanged();
      expect(JSON.parse(await client.call('memory'))).toMatchObject({ generation });
    }
  });

  test('cancels a call, and the tool hears of it', async () => {
    await using endpoint = await openEndpoint();
    await using client = await connectClient(kind, endpoint);
    const control = new AbortController();
    const call = client.call('wait', { text: 'a' }, { signal: control.signal });
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a']));
    control.abort(new Error('enough'));
    await expect(call).rejects.toThrow();
    await eventually(() => expect(endpoint.stage.waits.aborted).toEqual(['a']));
  });
});

test('a client of 2026-07-28 has no session', async () => {
  await using endpoint = await openEndpoint();
  await using client = await connectClient('v2 in 2026', endpoint);
  expect(JSON.parse(await client.call('who'))).toMatchObject({ era: 'modern' });
  expect(client.sessionId()).toBeUndefined();
  expect(JSON.parse(await client.call('roots'))).toMatchObject({ state: { asked: 'roots' } });
});
