import { describe, expect, test } from 'vitest';
import { tempTree } from '../../src/testing/temp-tree.ts';
import { connectStdio } from '../support/peers/connect-stdio.ts';
import { sdkNames } from '../support/peers/sdks.ts';
import { olderClients } from '../support/peers/sdk-client.ts';

const older = sdkNames.flatMap((server) => olderClients.map((client) => ({ server, client })));

describe.each(older)('a server of SDK $server and a client of SDK $client, over stdio', (cell) => {
  test('ask once, run a body once, and ask again only after a change', async () => {
    using tree = tempTree(['app/.git/', 'docs/.git/']);
    const [app, docs] = [tree.at('app'), tree.at('docs')];
    await using client = await connectStdio({ ...cell, roots: [app] });

    expect((await client.call('plain')).data).toMatchObject({ name: 'app', source: 'roots', roots: [app] });
    expect(client.asked()).toBe(1);
    expect((await client.call('counts')).data).toEqual({ entries: 1, finallys: 1 });

    expect((await client.call('plain')).data).toMatchObject({ name: 'app' });
    expect((await client.call('swallow')).data).toMatchObject({ name: 'app' });
    expect((await client.call('preflighted')).data).toMatchObject({ name: 'app' });
    expect(client.asked()).toBe(0);
    expect((await client.call('counts')).data).toEqual({ entries: 3, finallys: 3 });

    await client.change([docs]);
    expect((await client.call('plain')).data).toMatchObject({ name: 'docs', roots: [docs] });
    expect(client.asked()).toBe(1);
  });
});

// Each server and each client once: there is nothing to agree on between them.
describe.each(
  sdkNames.map((server, index) => ({ server, client: olderClients[index % olderClients.length] ?? 'v1' })),
)('a server of SDK $server and a client of SDK $client, over stdio', (cell) => {
  test('never ask a client that declared nothing', async () => {
    using tree = tempTree(['app/.git/']);
    await using client = await connectStdio({ ...cell, options: { ceiling: [tree.at('app')] } });
    expect((await client.call('where')).data).toMatchObject({
      source: 'operator',
      why: expect.stringContaining('was not asked or cannot be') as unknown,
    });
    expect(client.asked()).toBe(0);
  });
});

describe('a server of SDK v2 and a client of 2026-07-28, over stdio', () => {
  const cell = { server: 'v2', client: 'v2 in 2026' } as const;

  test('ask with each call, and run a body as often as its form says', async () => {
    using tree = tempTree(['app/.git/']);
    await using client = await connectStdio({ ...cell, roots: [tree.at('app')] });
    // Plain: the body runs up to the question, and once more with the answer.
    expect((await client.call('plain')).data).toMatchObject({ name: 'app', roots: [tree.at('app')] });
    expect(client.asked()).toBe(1);
    expect((await client.call('counts')).data).toEqual({ entries: 2, finallys: 2 });
    await client.call('plain');
    expect(client.asked()).toBe(1);
    expect((await client.call('counts')).data).toEqual({ entries: 4, finallys: 4 });
    // Preflight: the body runs once.
    expect((await client.call('preflighted')).data).toMatchObject({ name: 'app' });
    expect(client.asked()).toBe(1);
    expect((await client.call('counts')).data).toEqual({ entries: 5, finallys: 5 });
    // Swallow: no catch of the author keeps the question from the client.
    expect((await client.call('swallow')).data).toMatchObject({ name: 'app' });
    expect(client.asked()).toBe(1);
    // Dropped: a question that nobody waits for is put, and ends no process.
    expect((await client.call('dropped')).data).toEqual({ name: 'dropped' });
    expect((await client.call('where')).data).toMatchObject({ name: 'app' });
  });

  test('plus elicitation: each round of the author asks for the roots again', async () => {
    using tree = tempTree(['app/.git/']);
    const person = (): Record<string, string> => ({ colour: 'blue' });
    await using client = await connectStdio({ ...cell, roots: [tree.at('app')], person });
    expect((await client.call('rounds')).data).toEqual({ colour: 'blue', roots: [tree.at('app')] });
    expect(client.asked()).toBe(2);
  });

  test('reuse: an answer counts for the next calls where the author says so', async () => {
    using tree = tempTree(['app/.git/']);
    const options = { reuse: 60_000 };
    await using client = await connectStdio({ ...cell, roots: [tree.at('app')], options });
    await client.call('plain');
    expect((await client.call('plain')).data).toMatchObject({ name: 'app' });
    expect(client.asked()).toBe(1);
  });

  test('a client that declared nothing is never asked, and loses no call', async () => {
    using tree = tempTree(['app/.git/']);
    await using client = await connectStdio({ ...cell, options: { ceiling: [tree.at('app')] } });
    expect((await client.call('plain')).data).toMatchObject({ source: 'operator' });
    expect((await client.call('counts')).data).toEqual({ entries: 1, finallys: 1 });
  });
});
