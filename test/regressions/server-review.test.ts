import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { toFileUri } from '../../src/path/file-uri.ts';
import { attach } from '../../src/server/attach.ts';
import { createMemory } from '../../src/server/connection/connection-memory.ts';
import type { AttachOptions } from '../../src/server/settings/attach-options.ts';
import type { Rootward } from '../../src/server/settings/rootward.ts';
import { tempTree } from '../../src/testing/temp-tree.ts';
import { connectLegacy, nowhere } from '../support/peers/connect-legacy.ts';
import { connectModern } from '../support/peers/connect-modern.ts';

/** One call of a 2026 client over `createMcpHandler`, with what the tool does in the server's own words. */
async function callOverHttp(
  options: AttachOptions,
  root: string,
  run: (rootward: Rootward, context: object) => Promise<string>,
): Promise<string> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'test', version: '1' });
    const rootward = attach(server, { ...nowhere, ...options });
    server.registerTool('run', {}, async (context) => ({
      content: [{ type: 'text', text: await run(rootward, context) }],
    }));
    return server;
  });
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { roots: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: toFileUri(root) }] }));
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> =>
    handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }));
  try {
    const { content } = await client.callTool({ name: 'run', arguments: {} });
    return content[0]?.type === 'text' ? content[0].text : '';
  } finally {
    await client.close();
    await handler.close();
  }
}

const read = (rootward: Rootward, context: object | undefined, path: string): Promise<string> =>
  rootward
    .access(context, { operation: 'read', path }, ({ boundary, relative }) => boundary.readText(relative))
    .catch((error: Error) => error.message);

describe('a 2026 client over HTTP', () => {
  test('does not widen what the operator named through a look without its context', async () => {
    using tree = tempTree(['named/a.txt', 'listed/secret.txt = TOP-SECRET']);
    const secret = tree.at('listed/secret.txt');
    expect(readFileSync(secret, 'utf8')).toBe('TOP-SECRET');
    const said = await callOverHttp(
      { ceiling: [tree.at('named')] },
      tree.at('listed'),
      async (rootward, context) => {
        await rootward.roots(context);
        return `${await read(rootward, undefined, secret)} | ${await read(rootward, context, secret)}`;
      },
    );
    expect(said).toMatch(/^Cannot reach .* \| Cannot reach /);
    expect(said).not.toContain('TOP-SECRET');
  });

  test('does not move the process', async () => {
    using tree = tempTree(['listed/']);
    const before = process.cwd();
    await callOverHttp({ merge: 'client', chdir: true }, tree.at('listed'), async (rootward, context) => {
      const [root] = await rootward.roots(context);
      await new Promise((resolve) => setTimeout(resolve, 60));
      return root?.path ?? '';
    });
    expect(process.cwd()).toBe(before);
  });

  test('is told that a switch would be forgotten', async () => {
    using tree = tempTree(['a/', 'b/']);
    await using pair = await connectModern({
      roots: [tree.at('a'), tree.at('b')],
      options: { overHttp: true, merge: 'client', tools: true },
    });
    const { isError, text } = await pair.call('switch_project', { project: 'b' });
    expect(isError).toBe(true);
    expect(text).toContain('nothing is remembered between the calls of this client');
  });
});

describe('where only the operator has a say, and named nothing', () => {
  test.each([undefined, 'session'])('a client names nothing either (session: %s)', async (sessionId) => {
    using tree = tempTree(['app/package.json = {}', 'listed/a.txt = outside']);
    await using pair = await connectLegacy({
      roots: [tree.at('listed')],
      options: { merge: 'operator', cwd: tree.at('app') },
      ...(sessionId && { sessionId }),
    });
    expect((await pair.call('read', { path: tree.at('listed/a.txt') })).isError).toBe(true);
    expect(readFileSync(tree.at('listed/a.txt'), 'utf8')).toBe('outside');
  });
});

test.each(['/', '/etc'])('adr-009: PWD=%s names a project, and grants nothing', async (PWD) => {
  await using pair = await connectLegacy({
    capabilities: {},
    options: { preset: 'adr-009', environment: { PWD } },
  });
  expect(readFileSync('/etc/hostname', 'utf8')).not.toBe('');
  expect((await pair.call('read', { path: '/etc/hostname' })).isError).toBe(true);
});

test('a revocation holds though it cannot be remembered elsewhere', async () => {
  using tree = tempTree(['app/a.txt = inside']);
  const memory = { ...createMemory(), invalidate: () => Promise.reject(new Error('away')) };
  await using pair = await connectLegacy({ roots: [tree.at('app')], options: { memory: () => memory } });
  expect((await pair.call('read', { path: tree.at('app/a.txt') })).text).toBe('inside');
  pair.list();
  await pair.changed();
  expect((await pair.call('read', { path: tree.at('app/a.txt') })).isError).toBe(true);
});

test('a session of which nothing is remembered gets nothing, and not all that the operator named', async () => {
  using tree = tempTree(['app/a.txt = inside']);
  const options: AttachOptions = { ...nowhere, ceiling: [tree.at('app')] };
  const server = new McpServer({ name: 'test', version: '1' });
  const rootward = attach(server, options);
  const transport = {
    sessionId: 'forgotten',
    start: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
  };
  await server.connect(transport);
  expect(await rootward.roots()).toEqual([]);
  await rootward.close();
});

test('a client that lists thousands of directories does not use up the handles of the process', async () => {
  const names = Array.from({ length: 1_500 }, (_, index) => `d${index}/`);
  using tree = tempTree(names);
  await using pair = await connectLegacy({ roots: names.map((name) => tree.at(name.slice(0, -1))) });
  expect((await pair.rootward.roots()).length).toBe(0);
  await pair.call('where');
  const roots = await pair.rootward.roots();
  expect(roots.length).toBe(256);
  const { issues } = await pair.rootward.workspace();
  expect(issues.map(({ code }) => code)).toContain('too-many');
});

test('an author who sends nothing but a state gets no empty questions added', async () => {
  await using pair = await connectModern({
    serverOptions: { requestState: { verify: (text: string) => text } },
    more: (server) =>
      server.registerTool('state', {}, () => ({ resultType: 'input_required', requestState: 'x' }) as never),
  });
  const { result } = (await pair.round('tools/call', { params: { name: 'state', arguments: {} } })) as {
    result?: object;
  };
  expect(result).not.toHaveProperty('inputRequests');
});

test('preflight asks a person too, so that a body runs once', async () => {
  using tree = tempTree(['a/', 'b/']);
  let runs = 0;
  await using pair = await connectModern({
    roots: [tree.at('a'), tree.at('b')],
    capabilities: { roots: {}, elicitation: {} },
    options: { needsOne: true, preflight: true },
    tools: {
      count: (rootward) => async (context) => {
        runs += 1;
        return (await rootward.workspace(context)).project.name;
      },
    },
  });
  const choose = { 'elicitation/create': () => ({ action: 'accept', content: { project: tree.at('b') } }) };
  expect((await pair.call('count', {}, choose)).text).toBe('b');
  expect(runs).toBe(1);
});

test('a client that does not answer once ends no switch', async () => {
  using tree = tempTree(['a/', 'b/']);
  await using pair = await connectLegacy({
    roots: [tree.at('a'), tree.at('b')],
    options: { tools: true, timeout: 80 },
  });
  await pair.call('switch_project', { project: 'b' });
  const answer = pair.client.answers.get('roots/list');
  pair.client.answers.set('roots/list', () => new Promise(() => undefined));
  await pair.changed();
  await pair.call('where');
  if (answer !== undefined) pair.client.answers.set('roots/list', answer);
  await pair.changed();
  expect((await pair.call('where')).text).toBe('b');
});

test.each<[string, AttachOptions]>([
  ['merge', { merge: 'intersects' as never }],
  ['preset', { preset: 'adr-010' as never }],
  ['tools', { tools: ['lst_roots' as never] }],
  ['timeout', { timeout: Infinity }],
  ['timeout', { timeout: -1 }],
  ['freshness', { freshness: Number.NaN }],
])('a mistake in "%s" refuses to start: %j', (where, options) => {
  const server = new McpServer({ name: 'test', version: '1' });
  expect(() => attach(server, options)).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', data: expect.objectContaining({ where }) }) as Error,
  );
});

test('what fails inside reaches no client', async () => {
  using tree = tempTree(['app/']);
  const disk = {
    kindOf: () => Promise.reject(new Error("EIO: '/home/op/secret'")),
    realPath: async (path: string) => path,
    describe: () => Promise.reject(new Error('never')),
    detect: () => Promise.reject(new Error('never')),
  };
  await using pair = await connectLegacy({ roots: [tree.at('app')], options: { disk } });
  const { text } = await pair.call('where');
  expect(text).toMatch(/^Cannot finish this: an internal error occurred/);
  expect(text).not.toContain('/home/op');
});
