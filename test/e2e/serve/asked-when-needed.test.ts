import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { difficultClients, tempTree } from '../../../src/testing/index.ts';
import { speakHere } from '../../support/processes/speak.ts';

test('a client is asked when a call needs its roots, and not before', async () => {
  using files = tempTree(['app/a.txt', 'lib/b.txt']);
  await using server = await speakHere({ roots: [`file://${files.at('app')}`] });
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'ping'])
    expect((await server.player.request(method)).kind).toBe('result');
  expect(server.player.asks).toEqual([]);
  expect((await server.call('list_roots')).text).toContain(files.at('app'));
  expect(server.player.asks).toHaveLength(1);
  await server.change(`file://${files.at('lib')}`);
  await server.player.request('tools/list');
  expect(server.player.asks).toHaveLength(1);
  expect((await server.call('list_roots')).text).toContain(files.at('lib'));
  expect(server.player.asks).toHaveLength(2);
});

test('ids of our requests are of this connection alone, and other answers are logged as nothing waited for', async () => {
  using files = tempTree(['app/a.txt']);
  const ids = new Set<unknown>();
  for (let run = 1; run <= 2; run += 1) {
    await using server = await speakHere({
      args: ['--debug'],
      client: {
        ...difficultClients.cooperative,
        capabilities: () => ({ roots: true }),
        initialize: () => ({ clientInfo: { name: 'rough' }, more: 'as sent' }),
      },
      roots: [`file://${files.at('app')}`],
    });
    expect(server.player.greeting.kind).toBe('result');
    await server.wire.send({ jsonrpc: '2.0', id: 0, result: { roots: [{ uri: 'file:///etc' }] } });
    expect((await server.call('list_roots')).text).toContain(files.at('app'));
    const asked = server.received.find((message) => message['method'] === 'roots/list');
    expect(asked?.['id']).toMatch(/^rootward-[\w-]{12}-\d+$/);
    ids.add(asked?.['id']);
    const log = readFileSync(join(server.home, 'log', 'debug.log'), 'utf8');
    expect(log).toContain(
      '"kind":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":true}',
    );
    expect(log).toContain('"more":"as sent"');
    expect(log).toContain('"kind":"initialize-repaired"');
    expect(log).toContain('"kind":"stray-response"');
  }
  expect(ids.size).toBe(2);
});

test('a client that does not know the method is remembered by the next connection, which says so', async () => {
  using home = tempTree(['app/package.json = {}']);
  const options = {
    cwd: home.at('app'),
    env: { ROOTWARD_HOME: home.at('own') },
    client: difficultClients.methodNotFound,
    roots: [],
  };
  const answers: string[] = [];
  for (let run = 1; run <= 2; run += 1) {
    await using server = await speakHere(options);
    const { result } = await server.player.call('why');
    answers.push(JSON.stringify(result));
    // What it writes is written when it has ended.
    await server.wire.leave();
  }
  expect(answers[0]).not.toContain('did not know the method');
  expect(answers[1]).toMatch(/it did not know the method on \d{4}-\d\d-\d\d/);
});

test('in 2026-07-28 an unknown tool, prompt or resource is refused before any question', async () => {
  using files = tempTree(['app/a.txt']);
  await using server = await speakHere({
    client: difficultClients.modernCooperative,
    roots: [`file://${files.at('app')}`],
  });
  expect((await server.player.call('no_such_tool')).error).toMatchObject({ code: -32602 });
  for (const [method, params] of [
    ['prompts/get', { name: 'no-such-prompt' }],
    ['resources/read', { uri: 'rootward://none' }],
  ] as const) {
    const reply = await server.player.request(method, params);
    expect(reply).toMatchObject({ kind: 'error', error: { code: -32602 } });
  }
  expect(server.player.asks).toEqual([]);
  expect((await server.call('list_roots')).text).toContain(files.at('app'));
  expect(server.player.asks).toHaveLength(1);
});
