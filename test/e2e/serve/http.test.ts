import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import {
  type ClientKind,
  clientKinds,
  connectClient,
  sessionKinds,
  type TestClient,
} from '../../support/http/clients.ts';
import { call, initialize, send } from '../../support/http/raw.ts';
import { serveCommand } from '../../support/processes/command.ts';
import { converse } from '../../support/processes/converse.ts';
import { slowPattern, slowText } from '../../support/trees/slow-trees.ts';
import { type Listening, startHttp, startHttpHere } from '../../support/http/start-http.ts';

let files: TempTree;
let server: Listening;

beforeAll(async () => {
  files = tempTree(['app/.git/', 'app/a.txt = inside', 'app/sub/b.txt = below', 'lib/a.txt = library']);
  server = await startHttp({ args: [files.at('app')] });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  files[Symbol.dispose]();
});

/** Connects a real client that lists these directories. */
async function join(kind: ClientKind, roots: () => readonly string[]): Promise<TestClient> {
  const listed = (): { uri: string }[] => roots().map((name) => ({ uri: `file://${files.at(name)}` }));
  return connectClient(kind, { url: server.url, token: server.token, roots: listed });
}

test('where it listens and with which token is said on stderr, once, and nothing on stdout', () => {
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  expect(server.token).toMatch(/^[\w-]{43}$/);
  expect(server.stderr().split(server.token)).toHaveLength(2);
  expect(server.stdout()).toBe('');
});

test.each([
  ['roots: true', { capabilities: { roots: true } }],
  ['no capabilities', { capabilities: undefined }],
  ['a client without a version', { clientInfo: { name: 'rough' } }],
  ['an unknown revision', { protocolVersion: '1999-01-01' }],
  ['nothing at all', { capabilities: undefined, clientInfo: undefined, protocolVersion: undefined }],
])('an initialize with %s begins a session', async (_title, mistake) => {
  const body = { ...initialize, params: { ...initialize.params, ...mistake } };
  const response = await send(server, { headers: { authorization: `Bearer ${server.token}` }, body });
  expect(response.status).toBe(200);
  expect(response.json()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
});

describe('a request of 2026-07-28', () => {
  const [version, capabilities, clientInfo] = ['protocolVersion', 'clientCapabilities', 'clientInfo'].map(
    (name) => `io.modelcontextprotocol/${name}`,
  ) as [string, string, string];
  const usual = {
    [version]: '2026-07-28',
    [capabilities]: {},
    [clientInfo]: { name: 'rough', version: '1' },
  };
  const ask = async (meta: object, request: { method: string; name?: string } = listRoots) => {
    const { method, name } = request;
    const sent: Readonly<Record<string, unknown>> = { ...usual, ...meta };
    const headers = {
      authorization: `Bearer ${server.token}`,
      'mcp-protocol-version': String(sent[version]),
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    };
    const params = { name, uri: name, arguments: {}, _meta: sent };
    const response = await send(server, { headers, body: { jsonrpc: '2.0', id: 1, method, params } });
    return { status: response.status, ...response.json() };
  };
  const listRoots = { method: 'tools/call', name: 'list_roots' };

  test.each([
    ['roots: true', { [capabilities]: { roots: true } }, { resultType: 'input_required' }],
    ['a client without a version', { [clientInfo]: { name: 'rough' } }, { resultType: 'complete' }],
    ['no client', { [clientInfo]: undefined }, { resultType: 'complete' }],
  ])('with %s is served', async (_title, mistake, result) => {
    expect(await ask(mistake)).toMatchObject({ status: 200, result });
  });

  test.each([
    ['without capabilities', { [capabilities]: undefined }, -32_602],
    ['of an unknown revision', { [version]: '2099-01-01' }, -32_022],
  ])('%s is refused, as the revision demands', async (_title, mistake, code) => {
    expect(await ask(mistake)).toMatchObject({ status: 400, id: 1, error: { code } });
  });

  test.each([
    ['tools/list', undefined],
    ['resources/list', undefined],
    ['resources/read', 'rootward://roots'],
    ['prompts/list', undefined],
  ])('%s says how long its answer may be kept', async (method, name) => {
    const answer = await ask({}, { method, ...(name !== undefined && { name }) });
    expect(answer).toMatchObject({ result: { ttlMs: 0, cacheScope: 'private' } });
  });
});

describe('a request is refused', () => {
  const authorization = (): string => `Bearer ${server.token}`;

  test.each([
    ['without a token', { without: ['authorization'] }, 401],
    ['with another token', { headers: { authorization: `Bearer ${'x'.repeat(43)}` } }, 401],
  ])('%s', async (_title, request, status) => {
    const response = await send(server, { ...request, body: initialize });
    expect(response.status).toBe(status);
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  test.each([
    ['a name that is not ours', { host: 'evil.example' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['a page from elsewhere', { origin: 'https://evil.example' }],
    ['a page from another local port', { origin: 'http://localhost:9999' }],
  ])('by %s, even with the token', async (_title, headers) => {
    const request = { headers: { authorization: authorization(), ...headers }, body: initialize };
    expect((await send(server, request)).status).toBe(403);
  });

  test('a token in the query is none', async () => {
    const request = { path: `/mcp?token=${server.token}`, without: ['authorization'], body: initialize };
    expect((await send(server, request)).status).toBeGreaterThanOrEqual(400);
  });

  test('a health check needs none', async () => {
    const response = await send(server, { method: 'GET', path: '/healthz', without: ['authorization'] });
    expect(response.status).toBe(200);
    expect(response.text).not.toContain(files.path);
  });
});

describe.each(clientKinds)('a client of %s', (kind) => {
  test('reads and writes what is both listed and named, and nothing else', async () => {
    await using client = await join(kind, () => ['app/sub', 'lib']);
    expect(await client.call('read_text_file', { path: files.at('app/sub/b.txt') })).toBe('below');
    await client.call('write_file', { path: files.at('app/sub/new.txt'), content: kind });
    expect(await client.call('read_text_file', { path: files.at('app/sub/new.txt') })).toBe(kind);
    // Listed, but not named; named, but not listed.
    for (const path of ['lib/a.txt', 'app/a.txt'])
      await expect(client.call('read_text_file', { path: files.at(path) })).rejects.toThrow(
        'outside the roots',
      );
    expect(client.errors).toEqual([]);
  });
});

describe.each(sessionKinds)('a session of %s', (kind) => {
  test('remembers the roots between requests, which have a server each, until they change', async () => {
    let roots = ['app'];
    await using client = await join(kind, () => roots);
    for (let turn = 0; turn < 3; turn += 1)
      await client.call('read_text_file', { path: files.at('app/a.txt') });
    expect(client.asked()).toBe(1);
    roots = ['app/sub'];
    await client.rootsChanged();
    const reading = client.call('read_text_file', { path: files.at('app/a.txt') });
    await expect(reading).rejects.toThrow('outside the roots');
    expect(await client.call('read_text_file', { path: 'b.txt' })).toBe('below');
    expect(client.asked()).toBe(2);
  });

  test('remembers what was switched to, and belongs to no other session', async () => {
    await using client = await join(kind, () => ['app', 'app/sub']);
    await using other = await join(kind, () => ['app', 'app/sub']);
    await client.call('switch_project', { project: files.at('app/sub') });
    expect(await client.call('read_text_file', { path: 'b.txt' })).toBe('below');
    await expect(other.call('read_text_file', { path: 'b.txt' })).rejects.toThrow('Cannot');
  });
});

test('a client of 2026-07-28 is asked with each call, and no session is kept', async () => {
  await using client = await join('v2 in 2026', () => ['app']);
  for (let turn = 0; turn < 2; turn += 1) await client.call('read_text_file', { path: 'a.txt' });
  expect(client.asked()).toBe(2);
  expect(client.sessionId()).toBeUndefined();
});

test('with no directory named a client reaches nothing, whatever it lists', async () => {
  await using open = await startHttpHere({ cwd: files.at('app') });
  const listed = { url: open.url, token: open.token, roots: () => [{ uri: `file://${files.at('app')}` }] };
  await using client = await connectClient('v2 in 2025', listed);
  await expect(client.call('read_text_file', { path: files.at('app/a.txt') })).rejects.toThrow(
    'Cannot reach any file',
  );
  await using widened = await startHttpHere({ cwd: files.at('app'), args: ['--merge', 'client'] });
  await using trusted = await connectClient('v2 in 2025', {
    ...listed,
    url: widened.url,
    token: widened.token,
  });
  expect(await trusted.call('read_text_file', { path: files.at('app/a.txt') })).toBe('inside');
});

const ownToken = 'a-token-of-my-own-that-is-long-enough-to-be-one';

test.each([
  ['a file', (tree: TempTree) => ({ args: ['--token-file', tree.at('token')] })],
  ['the environment', () => ({ env: { ROOTWARD_TOKEN: ownToken } })],
])('a token from %s is used, and never shown', async (_title, options) => {
  using tree = tempTree([`token = ${ownToken}\n`]);
  await using listening = await startHttpHere(options(tree));
  const headers = { authorization: `Bearer ${ownToken}` };
  expect((await send(listening, { headers, body: initialize })).status).toBe(200);
  expect((await send(listening, { without: ['authorization'], body: initialize })).status).toBe(401);
  expect(listening.stderr()).toContain('listening on');
  expect(listening.stderr()).not.toContain(ownToken);
  expect(listening.stderr()).not.toContain('bearer token');
});

test('what is under way is finished before it ends, with code 0', async () => {
  using texts = slowText();
  await using listening = await startHttp({ args: [texts.path] });
  const headers = await beginAlone(listening);
  const search = call(1, 'search_text', { pattern: slowPattern, output: 'files', limit: 2_000 });
  const listing = send(listening, { headers, body: search });
  // The second answer tells that the first request has arrived.
  await send(listening, { headers, body: { jsonrpc: '2.0', id: 2, method: 'ping' } });
  process.kill(listening.pid, 'SIGTERM');
  const { status, json } = await listing;
  expect(status).toBe(200);
  expect(json()).toMatchObject({
    id: 1,
    result: { content: [{ text: expect.not.stringContaining('[Cut') }] },
  });
  expect(await listening.ended).toBe(0);
  expect(listening.stderr()).toContain('finishing what is under way');
  await expect(send(listening, { body: initialize })).rejects.toThrow('ECONNREFUSED');
});

/** Begins a session of a client that cannot be asked. */
async function beginAlone(listening: Listening): Promise<Record<string, string>> {
  const authorization = `Bearer ${listening.token}`;
  const params = { ...initialize.params, capabilities: {} };
  const response = await send(listening, { headers: { authorization }, body: { ...initialize, params } });
  return { authorization, 'mcp-session-id': String(response.headers['mcp-session-id']) };
}

test('it refuses to start where something else listens', async () => {
  await using other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  using command = serveCommand({ args: ['--http', `127.0.0.1:${port}`] });
  const { stderr, code } = await converse(command, []);
  expect(stderr).toContain(`Cannot listen on "127.0.0.1:${port}": something else listens there`);
  expect(code).toBe(3);
});
