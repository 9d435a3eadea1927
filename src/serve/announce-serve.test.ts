import { expect, test } from 'vitest';
import { openOwnDirectory } from '../config/own-directory.ts';
import { createMemory } from '../server/connection/connection-memory.ts';
import type { TracedConnection } from '../server/settings/trace-event.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { findRunning } from '../web/processes/find-running.ts';
import { announce } from '../web/processes/running.ts';
import { type AnnouncedSettings, announceServe } from './announce-serve.ts';
import type { CliContext } from './settings/process-context.ts';

function contextIn(home: string): CliContext {
  const silent = { write: () => {} };
  return { process: { stdout: silent, stderr: silent, env: { ROOTWARD_HOME: home } }, cwd: home };
}

const settings: AnnouncedSettings = {
  server: 'rootward',
  store: true,
  limited: false,
  policy: { preset: 'write-in-project' },
  directories: undefined,
};

test('a server is found while it runs, and not after it has closed', async () => {
  using home = tempTree();
  const announced = announceServe(contextIn(home.path), settings);
  announced.begin('1.2.3');
  announced.opened('http://127.0.0.1:1/mcp');
  await using state = await openOwnDirectory(home.at('state'));
  await expect
    .poll(() => findRunning(state))
    .toMatchObject([
      {
        command: 'serve',
        version: '1.2.3',
        pid: process.pid,
        url: 'http://127.0.0.1:1/mcp',
        server: 'rootward',
        rules: { policy: settings.policy, limited: false, follows: true },
      },
    ]);
  await announced.close();
  expect(await findRunning(state)).toEqual([]);
});

test('a read-only state directory affects only the page', async () => {
  using home = tempTree(['state = a file in the way']);
  const announced = announceServe(contextIn(home.path), settings);
  announced.begin('1.2.3');
  expect(
    await announced.ask({
      request: { operation: 'read', path: 'a' },
      root: 'app',
      at: { relative: 'a', links: [], whole: false },
      reason: '',
      signal: AbortSignal.timeout(1),
    }),
  ).toBe('not-asked');
  await announced.close();
});

const connection: TracedConnection = {
  memory: createMemory(),
  modern: false,
  overHttp: true,
  sessionId: 's-1',
  client: () => ({ name: 'editor' }),
  capabilities: () => ({}),
};

test('an ended HTTP session disappears from the page', async () => {
  using home = tempTree();
  const announced = announceServe(contextIn(home.path), settings);
  announced.begin('1.2.3');
  announced.trace({ kind: 'opened', overHttp: true }, connection);
  await using state = await openOwnDirectory(home.at('state'));
  const clients = async () => (await findRunning(state))[0]?.connections.map(({ client }) => client);
  await expect.poll(clients).toEqual(['editor']);
  announced.onRecord({ kind: 'session-ended', principal: 'p', session: 'another' });
  announced.onRecord({ kind: 'session-ended', principal: 'p', session: 's-1' });
  await expect.poll(clients).toEqual([]);
  await announced.close();
});

test.each([
  ['follows what is kept', {}, true],
  ['follows nothing', { store: false }, false],
  ['asks whatever is kept', { limited: true, policy: { preset: 'ask-before-write' } }, false],
  ['allows what is kept', { limited: true, policy: { preset: 'write-in-project' } }, true],
] as const)(
  'a server that %s announces whether a stored answer would take effect',
  async (_, other, follows) => {
    using home = tempTree();
    const announced = announceServe(contextIn(home.path), { ...settings, ...other });
    announced.begin('1.2.3');
    const said = { command: 'web', version: '1', directory: '/', pages: 1, connections: [] } as const;
    await using page = await announce(home.at('state'), said);
    await using state = await openOwnDirectory(home.at('state'));
    await expect.poll(async () => (await findRunning(state)).length).toBe(2);
    const answered = announced.ask({
      request: { operation: 'write', path: 'a' },
      root: 'app',
      place: home.path,
      at: { relative: 'a', links: [], whole: false },
      reason: 'it asks',
      session: connection,
      signal: AbortSignal.timeout(30_000),
    });
    const asked = async () => (await findRunning(state)).flatMap(({ questions }) => questions);
    await expect
      .poll(asked)
      .toMatchObject([{ server: 'rootward', places: [home.path], session: true, follows }]);
    await announced.close();
    expect([await answered, page.id.startsWith('web')]).toEqual([false, true]);
  },
);
