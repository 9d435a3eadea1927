import { describe, expect, test } from 'vitest';
import { difficultClients, type DifficultClientName, tempTree } from '../../../src/testing/index.ts';
import { connectHere } from '../../support/processes/connect.ts';
import { speak, speakHere } from '../../support/processes/speak.ts';

const tree = ['home/h.txt = home', 'app/a.txt = inside', 'lib/b.txt = library'] as const;

test.each(['v1', 'v2', 'v2 in 2026'] as const)(
  '%s: roots that are taken back are gone at the next call',
  async (name) => {
    using files = tempTree(tree);
    await using client = await connectHere(name, { roots: [files.at('app'), files.at('lib')] });
    const read = async (path: string): Promise<boolean> =>
      !(await client.call('read_text_file', { path: files.at(path) })).isError;
    expect(await read('app/a.txt')).toBe(true);
    expect(await read('lib/b.txt')).toBe(true);
    await change(client, [files.at('lib')]);
    expect(await read('app/a.txt')).toBe(false);
    expect(await read('lib/b.txt')).toBe(true);
    await change(client, []);
    expect(await read('lib/b.txt')).toBe(false);
    await change(client, [files.at('app')]);
    expect(await read('app/a.txt')).toBe(true);
  },
);

/** A client of 2026-07-28 has nothing to tell: it is asked with each call. */
async function change(
  client: Awaited<ReturnType<typeof connectHere>>,
  roots: readonly string[],
): Promise<void> {
  await client.change(roots).catch(() => undefined);
}

test('a root that is not there costs the others nothing', async () => {
  using files = tempTree(tree);
  await using server = await speakHere({
    roots: [`file://${files.at('app')}`, `file://${files.at('nowhere')}`],
  });
  expect(await server.call('read_text_file', { path: files.at('app/a.txt') })).toMatchObject({
    refused: false,
  });
  const { text } = await server.call('list_allowed_directories');
  expect(text).toContain(files.at('app'));
  expect(text).not.toContain('nowhere');
});

/** What each of them may cost, in milliseconds: the patience of the server once, and a machine that is busy. */
const patience = 3_000;
const busy = 5_000;

test('a list without a usable root is told on stderr, once, and the project that was found counts', async () => {
  using files = tempTree(['app/.git/', 'app/a.txt = inside']);
  const uris = ['https://example.com/app', 'file:///nowhere/at/all', '${workspaceFolder}'];
  await using server = await speak({ cwd: files.at('app'), roots: uris });
  for (let turn = 0; turn < 2; turn += 1)
    expect(await server.call('read_text_file', { path: 'a.txt' })).toEqual({
      refused: false,
      text: 'inside',
    });
  await server.wire.leave();
  const lines = server.wire.stderr().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^rootward: no root of the client can be used: .*https:.*workspaceFolder.*nowhere/),
    '',
  ]);
});

describe('a difficult client costs seconds once, and is served', () => {
  const served: readonly DifficultClientName[] = [
    'silent',
    'late',
    'methodNotFound',
    'nullResult',
    'notFiles',
    'oddUris',
    'wrongId',
    'modernGarbage',
    'modernRefuses',
  ];
  test.concurrent.each(served.map((name) => [difficultClients[name].about, name] as const))(
    'one that %s',
    async (_about, name) => {
      using files = tempTree(tree);
      const roots = [`file://${files.at('app')}`];
      await using server = await speakHere({
        args: [files.at('home')],
        client: difficultClients[name],
        roots,
      });
      const read = { path: files.at('home/h.txt') };
      const calls = [];
      for (let turn = 0; turn < 3; turn += 1) calls.push(await server.player.call('read_text_file', read));
      for (const { result } of calls) expect(result).toMatchObject({ content: [{ text: 'home' }] });
      const [first = Infinity, ...others] = calls.map(({ milliseconds }) => milliseconds);
      expect(first).toBeLessThan(patience + busy);
      for (const other of others) expect(other).toBeLessThan(patience);
      // One of 2026-07-28 is asked with each call, and has answered or not when the call arrives again.
      expect(server.player.asks).toHaveLength(name.startsWith('modern') ? 3 : 1);
      expect(server.wire.noise).toEqual([]);
      expect(server.wire.stderr()).toBe('');
    },
  );

  test.concurrent('what a late client listed counts when it came', async ({ expect }) => {
    using files = tempTree(tree);
    const roots = [`file://${files.at('app')}`];
    await using server = await speakHere({ client: difficultClients.late, roots, patience: 3_000 });
    expect(await server.call('read_text_file', { path: files.at('app/a.txt') })).toMatchObject({
      refused: true,
    });
    await expect
      .poll(() => server.call('read_text_file', { path: files.at('app/a.txt') }), { timeout: 20_000 })
      .toMatchObject({ refused: false, text: 'inside' });
  });

  test.concurrent('one that changes its roots and does not say to what has none, and is asked with each call', async () => {
    using files = tempTree(tree);
    const roots = [`file://${files.at('app')}`];
    await using server = await speakHere({ client: difficultClients.failsAfterChange, roots });
    const read = async (): Promise<boolean> =>
      !(await server.call('read_text_file', { path: files.at('app/a.txt') })).refused;
    expect(await read()).toBe(true);
    expect(await read()).toBe(false);
    expect(await read()).toBe(false);
  });

  test.concurrent('one that lists its roots with a name that lies is shown the name as it is', async () => {
    using files = tempTree(tree);
    const roots = [`file://${files.at('home')}`, `file://${files.at('app')}`, `file://${files.at('lib')}`];
    await using server = await speakHere({ client: difficultClients.oddNames, roots });
    const { text } = await server.call('read_text_file', { path: '/etc/hostname' });
    expect(text).toContain('outside the roots');
    expect(text).not.toMatch(/[\u0000\u202E]/);
  });
});
