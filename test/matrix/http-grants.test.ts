import { describe, expect, test } from 'vitest';
import { createConnectionStore } from '../../src/server/index.ts';
import { tempTree } from '../../src/testing/index.ts';
import { connectHttp } from '../support/peers/connect-http.ts';
import { connectStdio } from '../support/peers/connect-stdio.ts';
import { statelessListener } from '../support/peers/http-listeners.ts';
import { listen, sessionListener } from '../support/peers/http-sessions.ts';
import { perRequestListener } from '../support/peers/per-request-listener.ts';
import { olderClients } from '../support/peers/sdk-client.ts';

/** Nothing from this process tells a project. */
const alone = { environment: {}, cwd: '/' } as const;
const everyClient = [...olderClients, 'v2 in 2026'] as const;
const listenerFor = (client: string): typeof statelessListener =>
  client === 'v2 in 2026' ? statelessListener : ({ options = {} }) => sessionListener({ sdk: 'v2', options });

describe.each(everyClient)('over HTTP, a client of SDK %s', (name) => {
  test('gets nothing where the operator named nothing, whatever it lists', async () => {
    using tree = tempTree(['app/.git/']);
    await using endpoint = await listen(listenerFor(name)({ options: alone }));
    await using client = await connectHttp({ client: name, url: endpoint.url, roots: [tree.at('app')] });
    // The revision of SDK v1.12 has no structured content.
    const data = name === 'v1.12' ? {} : { error: { code: 'NO_ROOTS' } };
    const refusal = await client.call('where');
    expect(refusal).toMatchObject({ isError: true, data });
    expect(refusal.text).toContain('Cannot reach any file');
    expect((await client.call('roots')).data).toEqual({ roots: [] });
  });

  test('gets of what it lists only what lies within what the operator named', async () => {
    using tree = tempTree(['srv/app/.git/', 'home/.git/']);
    const options = { ...alone, ceiling: [tree.at('srv')] };
    await using endpoint = await listen(listenerFor(name)({ options }));
    const roots = [tree.at('home'), tree.at('srv', 'app'), tree.path];
    await using client = await connectHttp({ client: name, url: endpoint.url, roots });
    expect((await client.call('roots')).data).toEqual({
      roots: [tree.at('srv', 'app'), tree.at('srv')],
    });
  });

  test('gets what it lists where the operator leaves that to it', async () => {
    using tree = tempTree(['app/.git/']);
    const options = { ...alone, merge: 'client' } as const;
    await using endpoint = await listen(listenerFor(name)({ options }));
    await using client = await connectHttp({ client: name, url: endpoint.url, roots: [tree.at('app')] });
    expect((await client.call('where')).data).toMatchObject({ name: 'app', roots: [tree.at('app')] });
  });

  test('gets what it lists over stdio, from the same server', async () => {
    using tree = tempTree(['app/.git/']);
    await using client = await connectStdio({ server: 'v2', client: name, roots: [tree.at('app')] });
    expect((await client.call('roots')).data).toEqual({ roots: [tree.at('app')] });
  });
});

describe('servers that are built for each request, with a store', () => {
  test.each(olderClients)('find again what a client of SDK %s said', async (name) => {
    using tree = tempTree(['app/.git/', 'docs/.git/']);
    const store = createConnectionStore();
    let built = 0;
    const options = { ...alone, merge: 'client', tools: ['switch_project'], timeout: 2_000 } as const;
    const listener = perRequestListener({ store, options, built: () => (built += 1) });
    await using endpoint = await listen(listener);
    const roots = [tree.at('app'), tree.at('docs')];
    await using client = await connectHttp({ client: name, url: endpoint.url, roots });
    expect((await client.call('where')).data).toMatchObject({ name: 'app', roots });
    expect((await client.call('switch_project', { project: 'docs' })).isError).toBe(false);
    expect((await client.call('where')).data).toMatchObject({ name: 'docs', source: 'switched' });
    expect(client.asked()).toBe(1);
    await client.change([tree.at('app')]);
    expect((await client.call('where')).data).toMatchObject({ name: 'app', roots: [tree.at('app')] });
    expect(client.asked()).toBe(1);
    expect(store.size).toBe(1);
    expect(built).toBe(7);
  });

  test('keep sessions apart', async () => {
    using tree = tempTree(['app/.git/', 'docs/.git/']);
    const store = createConnectionStore();
    await using endpoint = await listen(
      perRequestListener({ store, options: { ...alone, merge: 'client' } }),
    );
    await using one = await connectHttp({ client: 'v1', url: endpoint.url, roots: [tree.at('app')] });
    await using other = await connectHttp({ client: 'v2', url: endpoint.url, roots: [tree.at('docs')] });
    const told = await Promise.all([one.call('where'), other.call('where'), one.call('where')]);
    expect(told.map(({ data }) => data['name'])).toEqual(['app', 'docs', 'app']);
    expect(store.size).toBe(2);
  });

  test('forget sessions that vanished without a word', async () => {
    using tree = tempTree(['app/.git/']);
    let now = 0;
    const store = createConnectionStore({ idle: 1_000, now: () => now });
    await using endpoint = await listen(
      perRequestListener({ store, options: { ...alone, merge: 'client' } }),
    );
    const parts = { client: 'v2', url: endpoint.url, roots: [tree.at('app')] } as const;
    for (let session = 0; session < 3; session += 1) {
      await using client = await connectHttp(parts);
      await client.call('where');
    }
    expect(store.size).toBe(3);
    now = 1_001;
    await using client = await connectHttp(parts);
    expect((await client.call('where')).data).toMatchObject({ name: 'app' });
    expect(store.size).toBe(1);
  });
});
