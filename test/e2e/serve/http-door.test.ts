import { chmodSync } from 'node:fs';
import { once } from 'node:events';
import { request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../../src/testing/index.ts';
import { runInMemory } from '../../support/processes/run-in-memory.ts';
import { connectClient } from '../../support/http/clients.ts';
import { beginSession, call, initialize, send } from '../../support/http/raw.ts';
import { sendPlain, twoMeanings } from '../../support/http/two-meanings.ts';
import { serveCommand } from '../../support/processes/command.ts';
import { converse } from '../../support/processes/converse.ts';
import { startHttpHere } from '../../support/http/start-http.ts';

describe('a client that names what it wants to reach', () => {
  test.each(['union', 'client'])('gets it with --merge %s on this machine alone', async (merge) => {
    using files = tempTree(['app/a.txt = inside', 'secret/s.txt = TOP-SECRET']);
    const args = [files.at('app'), '--merge', merge];
    // Negative control: a caller that gets in can read what was not named.
    await using server = await startHttpHere({ args });
    const roots = (): { uri: string }[] => [{ uri: `file://${files.at('secret')}` }];
    await using client = await connectClient('v2 in 2025', { ...server, roots });
    expect(await client.call('read_text_file', { path: files.at('secret/s.txt') })).toBe('TOP-SECRET');
    // Where others come in, it does not even start.
    for (const outside of [
      ['--http', '0.0.0.0:0', '--host', 'my.example'],
      ['--http', ':0', '--host', 'my.example'],
    ]) {
      using command = serveCommand({ args: [...args, ...outside] });
      const { stderr, code } = await converse(command, []);
      expect(stderr).toContain(`--merge: ${merge} lets clients name what is reached`);
      expect(stderr).not.toContain('listening');
      expect(code).toBe(2);
    }
  });

  test('gets nothing that was not named, by default, where others come in', async () => {
    using files = tempTree(['app/a.txt = inside', 'secret/s.txt = TOP-SECRET']);
    await using server = await startHttpHere({ args: [files.at('app'), '--host', 'my.example'] });
    const roots = (): { uri: string }[] =>
      ['app', 'secret'].map((name) => ({ uri: `file://${files.at(name)}` }));
    await using client = await connectClient('v2 in 2025', { ...server, roots });
    expect(await client.call('read_text_file', { path: files.at('app/a.txt') })).toBe('inside');
    await expect(client.call('read_text_file', { path: files.at('secret/s.txt') })).rejects.toThrow(
      'outside the roots',
    );
  });
});

describe('who starts it is told', () => {
  test('that nothing can be reached, where no directory is named', async () => {
    using files = tempTree(['app/a.txt']);
    await using nothing = await startHttpHere({ cwd: files.at('app') });
    expect(nothing.stderr()).toContain('nothing can be reached');
    await using something = await startHttpHere({ args: [files.at('app')] });
    expect(something.stderr()).not.toContain('nothing can be reached');
    expect(something.stderr()).not.toContain('plain HTTP');
  });

  test.each([
    ['a token that no client can send', { ROOTWARD_TOKEN: `${'a'.repeat(40)} b` }, 'characters', 3],
    ['a page that is no origin', { ROOTWARD_ORIGIN: 'https://a.example/' }, 'is no origin', 3],
  ])('that %s is of no use', async (_what, env, reason, code) => {
    using home = tempTree();
    const result = await runInMemory('/', ['serve', '--http', ':0'], { ...env, ROOTWARD_HOME: home.path });
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(reason) });
  });
});

test('a call that only looks may be made again with the same id, one that changes something may not', async () => {
  using files = tempTree(['app/a.txt = inside']);
  await using server = await startHttpHere({ args: [files.at('app')] });
  const session = await beginSession(server, { headers: { authorization: `Bearer ${server.token}` } });
  const again = async (body: object): Promise<number[]> => {
    const answer = async (): Promise<number> => (await send(server, { headers: session, body })).status;
    return [await answer(), await answer()];
  };
  expect(await again(call(1, 'list_allowed_directories'))).toEqual([200, 200]);
  expect(await again(call(2, 'write_file', { path: 'b.txt', content: '' }))).toEqual([200, 409]);
});

test('a socket in the file system is served to its owner', async () => {
  using files = tempTree(['app/a.txt = inside']);
  chmodSync(files.path, 0o700);
  const socketPath = files.at('mcp.sock');
  await using server = await startHttpHere({ args: [files.at('app')], http: `unix:${socketPath}` });
  expect(server.stderr()).toContain(`listening on unix:${socketPath}`);
  const headers = {
    host: 'localhost',
    authorization: `Bearer ${server.token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const outgoing = request({ socketPath, path: '/mcp', method: 'POST', headers });
  outgoing.end(JSON.stringify(initialize));
  const [response] = await once(outgoing, 'response');
  response.resume();
  expect(response.statusCode).toBe(200);
});

describe('whether a client can be told that the tools changed', () => {
  const connect = async (url: string, token: string, mode: 'legacy' | { pin: string }): Promise<Client> => {
    const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return client;
  };
  const modern = { pin: '2026-07-28' };

  test('is not promised where they cannot, or where nothing can change', async () => {
    using files = tempTree(['app/a.txt']);
    await using server = await startHttpHere({ args: [files.at('app')] });
    for (const mode of ['legacy', modern] as const) {
      const client = await connect(server.url, server.token, mode);
      expect(client.getServerCapabilities()?.tools?.listChanged ?? false).toBe(false);
      await client.close();
    }
  });

  test('is promised and kept to a client of 2026-07-28 where a person may change them', async () => {
    using home = tempTree(['app/a.txt']);
    const env = { ROOTWARD_HOME: home.path };
    await runInMemory('/', ['roots', 'add', home.at('app')], env);
    await using server = await startHttpHere({ args: ['--store'], env });
    const client = await connect(server.url, server.token, modern);
    expect(client.getServerCapabilities()?.tools?.listChanged).toBe(true);
    const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
    let told = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => void (told += 1));
    const subscription = await client.listen({ toolsListChanged: true });
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
    expect(await names()).not.toContain('remove_file');
    expect(await runInMemory('/', ['roots', 'allow', 'app', 'remove'], env)).toMatchObject({ code: 0 });
    await expect.poll(() => told, { timeout: 15_000 }).toBeGreaterThan(0);
    expect(await names()).toContain('remove_file');
    process.kill(server.pid, 'SIGTERM');
    expect(await subscription.closed).toBe('graceful');
    await client.close();
    expect(await server.ended).toBe(0);
  });
});

describe('a request that two readers could take for two different ones', () => {
  test('is answered with 400 before it is served, whatever the second meaning is', async () => {
    using files = tempTree(['app/a.txt']);
    await using server = await startHttpHere({ args: [files.at('app')] });
    const headers = {
      Authorization: `Bearer ${server.token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const request = { method: 'POST', path: '/mcp', headers } as const;
    // Nothing else is wrong with it: the body is no message, and that is all that is said.
    expect(await sendPlain(server.port, request)).toMatch(/^HTTP\/1\.1 400 .*not a JSON-RPC message/s);
    for (const each of twoMeanings) {
      const answer = await sendPlain(server.port, request, each);
      expect([each.what, answer.split(' ')[1]]).toEqual([each.what, String(each.status)]);
      expect([each.what, answer]).not.toEqual([each.what, expect.stringContaining('JSON-RPC message')]);
    }
  });
});
