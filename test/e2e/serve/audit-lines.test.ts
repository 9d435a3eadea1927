import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/audit/entry.ts';
import { tempTree } from '../../../src/testing/index.ts';
import { connectClient } from '../../support/http/clients.ts';
import { startHttp, startHttpHere } from '../../support/http/start-http.ts';
import { connectHttp } from '../../support/peers/connect-http.ts';
import { ownHome } from '../../support/processes/own-home.ts';
import { speakHere } from '../../support/processes/speak.ts';

/* An audit line tells which connection of which client did it, where it really was, and how much was moved. */

function entriesIn(home: string): readonly AuditEntry[] {
  const lines = readFileSync(join(home, 'log/audit.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as AuditEntry);
}

const executes = ['--allow', 'execute', '--allow-unconfined-shell'];

test('a line names client, session, tool, place and bytes, and a command line as it was', async () => {
  using tree = tempTree(['app/real/a.txt = twelve bytes', 'app/link => real']);
  await using server = await speakHere({ args: [tree.at('app'), ...executes] });
  await server.call('read_text_file', { path: 'link/a.txt' });
  await server.call('write_file', { path: 'link/new.txt', content: 'héllo' });
  await server.call('edit_file', { path: 'real/a.txt', edits: [{ oldText: 'twelve', newText: '12' }] });
  await server.call('read_text_file', { path: 'gone.txt' });
  await server.call('shell', { command: 'echo word-42' });
  const common = {
    caller: 'difficult-client',
    client: 'difficult-client 1.0.0',
    session: expect.stringMatching(/^[\da-f]{12}$/),
    root: 'app',
  };
  const entries = entriesIn(server.home);
  const wrote = (place: string, added: number, removed: number) => [
    { kind: 'written', place, count: 1, lines: { added, removed } },
  ];
  expect(entries).toMatchObject([
    { ...common, tool: 'read_text_file', path: 'link/a.txt', place: 'real/a.txt', bytes: 12 },
    { ...common, tool: 'write_file', place: 'real/new.txt', bytes: 6, changed: wrote('real/new.txt', 1, 0) },
    { ...common, tool: 'edit_file', place: 'real/a.txt', bytes: 8, changed: wrote('real/a.txt', 1, 1) },
    { ...common, tool: 'read_text_file', path: 'gone.txt', outcome: 'failed', code: 'NOT_FOUND' },
    { ...common, tool: 'shell', operation: 'execute', detail: 'echo word-42', place: '.' },
  ]);
  expect(new Set(entries.map(({ session }) => session)).size).toBe(1);
  expect(entries[3]).not.toHaveProperty('bytes');
});

test('a change tells how many lines came and went, where both contents are texts that may be read', async () => {
  using tree = tempTree(['app/a.txt = 1\n2\n3\n', 'app/binary = a\0b', 'app/kept.txt = 1\n']);
  await using server = await speakHere({ args: [tree.at('app')] });
  const write = (path: string, content: string) => server.call('write_file', { path, content });
  await write('a.txt', '1\nzwei\n3\n4\n');
  await write('binary', 'text');
  await write('kept.txt', 'x'.repeat(600_000));
  await server.call('edit_file', { path: 'a.txt', edits: [{ oldText: '4\n', newText: '' }] });
  const changes = entriesIn(server.home).map(({ changed }) => changed?.map(({ lines }) => lines));
  expect(changes).toEqual([[{ added: 2, removed: 1 }], [undefined], [undefined], [{ added: 0, removed: 1 }]]);
});

test('a call that is refused because of its cwd leaves a line, although no tool ran', async () => {
  using tree = tempTree(['app/a.txt', 'outside/']);
  await using server = await speakHere({ args: [tree.at('app')] });
  const cwd = tree.at('outside');
  await server.call('write_file', { path: 'new.txt', content: 'x', cwd });
  for (const tool of ['why', 'list_roots', 'check_path']) await server.call(tool, { path: 'a.txt', cwd });
  await server.call('why', { cwd: 5 });
  const refused = { verdict: 'deny', outcome: 'refused', rule: 'project-argument' };
  const outside = (tool: string) => ({ ...refused, tool, path: cwd, code: 'OUTSIDE_ROOTS' });
  expect(entriesIn(server.home)).toMatchObject([
    ...['write_file', 'why', 'list_roots', 'check_path'].map(outside),
    { ...refused, tool: 'why', path: '5', code: 'INVALID_PATH' },
  ]);
});

test('a root within a root that the boundary does not move is recorded as refused, and so is a special file', async () => {
  using tree = tempTree(['app/sub/inner/a.txt', 'app/pipe|']);
  await using server = await speakHere({ args: [tree.at('app'), tree.at('app/sub/inner')] });
  await server.call('move_file', { source: 'sub', destination: 'elsewhere' });
  await server.call('read_text_file', { path: 'pipe' });
  const refused = { verdict: 'deny', outcome: 'refused' };
  const moved = { ...refused, tool: 'move_file', rule: 'boundary:inner-root', code: 'HOLDS_ROOT' };
  expect(entriesIn(server.home)).toMatchObject([
    moved,
    moved,
    { ...refused, tool: 'read_text_file', rule: 'boundary:special-file', code: 'SPECIAL_FILE' },
  ]);
});

test('with --hide-commands a command line is only a hash', async () => {
  using tree = tempTree(['app/a.txt']);
  await using server = await speakHere({ args: [tree.at('app'), ...executes, '--hide-commands'] });
  expect((await server.call('shell', { command: 'echo word-42' })).text).toContain('word-42');
  const [entry] = entriesIn(server.home);
  expect(entry).toMatchObject({ operation: 'execute', detail: expect.stringMatching(/^#[\da-f]{16}$/) });
  expect(JSON.stringify(entry)).not.toContain('word-42');
});

test('two sessions of one client over HTTP are told apart, and no line reveals a session', async () => {
  using tree = tempTree(['app/a.txt = text', 'home/']);
  const env = { ROOTWARD_HOME: tree.at('home') };
  await using listening = await startHttpHere({ args: [tree.at('app')], env });
  const { url, token } = listening;
  const roots = () => [{ uri: `file://${tree.at('app')}` }];
  await using one = await connectClient('v2 in 2025', { url, token, roots });
  await using two = await connectClient('v2 in 2025', { url, token, roots });
  for (const client of [one, two, one]) await client.call('read_text_file', { path: 'a.txt' });
  const entries = entriesIn(env.ROOTWARD_HOME);
  const [first, second, third] = entries.map(({ session }) => session);
  expect(first).toMatch(/^[\da-f]{12}$/);
  expect([second === first, third === first]).toEqual([false, true]);
  expect(entries.map(({ client }) => client)).toEqual(['tester 1', 'tester 1', 'tester 1']);
  for (const client of [one, two]) expect(JSON.stringify(entries)).not.toContain(client.sessionId());
});

test('over HTTP, the end of a project that a person granted leaves a line, however it ends', async () => {
  using tree = tempTree(['one/a.txt', 'two/a.txt', 'three/a.txt', 'home/']);
  const env = { ROOTWARD_HOME: tree.at('home') };
  await using listening = await startHttp({ args: ['--merge', 'client'], env });
  const { token } = listening;
  const person = (): Record<string, boolean> => ({ allow: true });
  const enter = () => connectHttp({ client: 'v2', url: new URL(listening.url), token, person });
  await using ending = await enter();
  for (const project of [tree.at('one'), tree.at('two')])
    expect((await ending.call('switch_project', { project })).isError).toBe(false);
  const { transport } = ending.raw;
  if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
  await using staying = await enter();
  await staying.call('switch_project', { project: tree.at('three') });
  process.kill(listening.pid, 'SIGTERM');
  await listening.ended;
  const entries = entriesIn(env.ROOTWARD_HOME);
  expect(entries.map(({ event, path, reason }) => `${event} ${basename(path)}: ${reason}`)).toEqual([
    expect.stringMatching(/^grant one: a person said yes/),
    expect.stringMatching(/^grant two: a person said yes/),
    'withdrawal one: another project was chosen',
    'withdrawal two: the client ended its session',
    expect.stringMatching(/^grant three: a person said yes/),
    'withdrawal three: the server stopped',
  ]);
  const whose = entries.map(({ client, session }) => `${client} ${session}`);
  expect(new Set(whose.slice(0, 4)).size).toBe(1);
  expect(whose[5]).toBe(whose[4]);
});

test('a root that was refused is recorded', async () => {
  using home = ownHome(['app/a.txt', '.ssh/key']);
  expect(await home.run('add', '/etc')).toMatchObject({ code: 1 });
  expect(await home.run('add', 'gone')).toMatchObject({ code: 1 });
  expect(await home.run('add', 'app')).toMatchObject({ code: 0 });
  expect(entriesIn(home.tree.at('home'))).toMatchObject([
    {
      event: 'refusal',
      path: '/etc',
      rule: 'store:add',
      outcome: 'refused',
      reason: 'it belongs to the system',
    },
    { event: 'refusal', path: home.at('gone'), outcome: 'refused', reason: 'it does not exist' },
    { event: 'change', path: home.at('app'), rule: 'store:add', outcome: 'done' },
  ]);
});
