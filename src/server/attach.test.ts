import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { Server as LowV1 } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ListRootsRequestSchema,
  RootsListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Server as LowV2, McpServer } from '@modelcontextprotocol/server';
import { Server as Low12 } from 'sdk-1.12/server/index.js';
import { CallToolRequestSchema as CallTool12 } from 'sdk-1.12/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  callTool,
  connectLegacy,
  connectServer,
  introduce,
  nowhere,
  usualTools,
} from '../../test/support/peers/connect-legacy.ts';
import { openRawClient, type RawClient, silence } from '../../test/support/peers/raw-client.ts';
import { type AnyServer, createServer, sdkNames } from '../../test/support/peers/sdks.ts';
import { openHandles } from '../../test/support/processes/open-handles.ts';
import { toFileUri } from '../path/file-uri.ts';
import { connectPair } from '../testing/connect-pair.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { linkWires } from '../testing/wires.ts';
import { attach } from './attach.ts';
import type { CallContext } from './sdk/call-context.ts';
import type { Rootward } from './settings/rootward.ts';

/** A minimal client that lists one root. */
async function meet(server: AnyServer, path: string): Promise<RawClient> {
  const wires = linkWires();
  await connectServer(server, wires.server);
  const client = await openRawClient(wires.client);
  client.answers.set('roots/list', () => ({ roots: [{ uri: toFileUri(path) }] }));
  await introduce(client);
  return client;
}

describe.each(sdkNames)('a server of SDK %s', (sdk) => {
  test('can be attached before its tools are registered', async () => {
    using tree = tempTree(['app/']);
    const server = createServer[sdk]();
    await using rootward = attach(server.server, nowhere);
    server.tool('where', usualTools['where']?.(rootward) ?? (() => ''));
    const client = await meet(server, tree.at('app'));
    expect((await callTool(client, { name: 'where' })).text).toBe('app');
    await client.close();
  });

  test('can be attached after it is connected, and with eager its client is asked', async () => {
    using tree = tempTree(['app/']);
    const server = createServer[sdk]();
    server.tool('where', async (context) => (await rootward.workspace(context)).project.name);
    const client = await meet(server, tree.at('app'));
    await using rootward = attach(server.server, { ...nowhere, eager: true });
    let asked = 0;
    client.answers.set('roots/list', () => {
      asked += 1;
      return { roots: [{ uri: `file://${tree.at('app')}` }] };
    });
    await expect.poll(() => asked).toBe(1);
    expect((await rootward.roots()).map(({ path }) => path)).toEqual([tree.at('app')]);
    expect((await callTool(client, { name: 'where' })).text).toBe('app');
    expect(asked).toBe(1);
    await client.close();
  });

  test('with eager a workspace without a context waits for the roots of the client', async () => {
    using tree = tempTree(['app/', 'lib/']);
    const server = createServer[sdk]();
    const client = await meet(server, tree.at('app'));
    await using rootward = attach(server.server, { ...nowhere, eager: true });
    expect((await rootward.workspace()).project.name).toBe('app');
    client.answers.set('roots/list', () => ({ roots: [{ uri: `file://${tree.at('lib')}` }] }));
    await client.notify('notifications/roots/list_changed');
    expect((await rootward.workspace()).project.name).toBe('lib');
    await client.close();
  });

  test('can be attached after its tools are registered', async () => {
    using tree = tempTree(['app/']);
    const server = createServer[sdk]();
    server.tool('where', async (context) => (await rootward.workspace(context)).project.name);
    const rootward = attach(server.server, nowhere);
    const client = await meet(server, tree.at('app'));
    expect((await callTool(client, { name: 'where' })).text).toBe('app');
    // The hint shows that the handler runs as our call, although it was registered before.
    client.answers.set('roots/list', () => ({ roots: [] }));
    await client.notify('notifications/roots/list_changed');
    expect((await callTool(client, { name: 'where' })).data).toMatchObject({ error: { code: 'NO_ROOTS' } });
    await client.close();
    await rootward.close();
  });

  test('can be attached if its handlers exist from the beginning', async () => {
    using tree = tempTree(['app/']);
    const server = createServer[sdk]({ capabilities: { tools: {}, prompts: {}, resources: {} } });
    await using rootward = attach(server.server, { ...nowhere, tools: ['why'] });
    server.tool('where', usualTools['where']?.(rootward) ?? (() => ''));
    const client = await meet(server, tree.at('app'));
    expect((await callTool(client, { name: 'where' })).text).toBe('app');
    expect((await callTool(client, { name: 'why' })).data).toMatchObject({ source: 'roots' });
    await client.close();
  });

  test('keeps its name, its lists and its errors', async () => {
    const server = createServer[sdk]();
    server.tool('fail', () => {
      throw new Error('my own words');
    });
    await using rootward = attach(server.server, nowhere);
    const client = await meet(server, '/');
    expect((await callTool(client, { name: 'fail' })).text).toBe('my own words');
    const listed = (await client.request('tools/list'))['result'] as { tools: { name: string }[] };
    expect(listed.tools.map(({ name }) => name)).toEqual(['fail']);
    expect(rootward.audit).toBeDefined();
    await client.close();
  });

  test('shares nothing with another server in the same process', async () => {
    using tree = tempTree(['one/', 'two/']);
    await using one = await connectLegacy({ sdk, roots: [tree.at('one')] });
    await using two = await connectLegacy({ sdk, roots: [tree.at('two')] });
    const texts = await Promise.all(
      [one, two, one, two].map(async (pair) => (await pair.call('where')).text),
    );
    expect(texts).toEqual(['one', 'two', 'one', 'two']);
    one.list(tree.at('two'));
    await one.changed();
    await one.call('where');
    expect([one.client.asked(), two.client.asked()]).toEqual([2, 1]);
  });

  test('drops a connection when the next one comes', async () => {
    using tree = tempTree(['one/', 'two/']);
    const server = createServer[sdk]();
    await using rootward = attach(server.server, nowhere);
    server.tool('paths', usualTools['paths']?.(rootward) ?? (() => ''));
    const one = await meet(server, tree.at('one'));
    expect((await callTool(one, { name: 'paths' })).text).toBe(tree.at('one'));
    await one.close();
    expect(await rootward.roots()).toEqual([]);
    const two = await meet(server, tree.at('two'));
    expect(await rootward.roots()).toEqual([]);
    expect((await callTool(two, { name: 'paths' })).text).toBe(tree.at('two'));
    await two.close();
  });

  test('never shows a call the roots of a later connection', async () => {
    using tree = tempTree(['one/', 'two/']);
    const server = createServer[sdk]();
    await using rootward = attach(server.server, nowhere);
    let goOn: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => (goOn = resolve));
    let finish: (paths: readonly string[]) => void = () => undefined;
    const finished = new Promise<readonly string[]>((resolve) => (finish = resolve));
    let begun: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (begun = resolve));
    server.tool('slow', async (context) => {
      begun();
      await wait;
      finish((await rootward.roots(context)).map(({ path }) => path));
      return '';
    });
    server.tool('paths', usualTools['paths']?.(rootward) ?? (() => ''));
    const one = await meet(server, tree.at('one'));
    void one.request('tools/call', { name: 'slow', arguments: {} });
    await running;
    await one.close();
    const two = await meet(server, tree.at('two'));
    expect((await callTool(two, { name: 'paths' })).text).toBe(tree.at('two'));
    goOn();
    expect(await finished).toEqual([]);
    await two.close();
  });

  test('leaves nothing open after its client has disconnected', async () => {
    using tree = tempTree(['app/a.txt']);
    const pair = await connectLegacy({ sdk, roots: [tree.at('app')] });
    expect((await pair.call('read', { path: 'a.txt' })).isError).toBe(false);
    expect(openHandles(tree.path)).not.toEqual([]);
    await pair.client.close();
    await settled(() => openHandles(tree.path).length === 0);
    expect(openHandles(tree.path)).toEqual([]);
    await pair.close();
  });

  test('works as before once the attachment is closed', async () => {
    using tree = tempTree(['app/a.txt']);
    const pair = await connectLegacy({
      sdk,
      roots: [tree.at('app')],
      options: { tools: true },
      tools: { plain: () => () => 'still here' },
    });
    await pair.call('where');
    await pair.rootward.close();
    await settled(() => openHandles(tree.path).length === 0);
    expect(openHandles(tree.path)).toEqual([]);
    await pair.changed();
    expect((await pair.call('plain')).text).toBe('still here');
    expect((await pair.call('why')).isError || (await pair.call('why')).message['error'] !== undefined).toBe(
      true,
    );
    await pair.call('where');
    expect(pair.client.asked()).toBe(1);
    await settled(() => openHandles(tree.path).length === 0);
    expect(openHandles(tree.path)).toEqual([]);
    await pair.client.close();
  });

  test('leaves nothing open for calls that outlast their client', async () => {
    using tree = tempTree(['app/a.txt']);
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let goOn: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => (goOn = resolve));
    const pair = await connectLegacy({
      sdk,
      roots: [tree.at('app')],
      options: { ceiling: [tree.at('app')] },
      tools: {
        slow: (rootward) => async (context) => {
          await rootward.workspace(context);
          await wait;
          await rootward.workspace(context, { cwd: tree.at('app') });
          finish();
          return '';
        },
      },
    });
    void pair.call('slow');
    await pair.client.question();
    await pair.client.close();
    goOn();
    await finished;
    await settled(() => openHandles(tree.path).length === 0);
    expect(openHandles(tree.path)).toEqual([]);
    await pair.close();
  });
});

const lowServers = {
  v2(rootward: (server: LowV2) => Rootward) {
    const server = new LowV2({ name: 'low', version: '1' }, { capabilities: { tools: {} } });
    const attached = rootward(server);
    server.setRequestHandler('tools/call', async (_request, context) => textOf(attached, context));
    return { server, attached };
  },
  v1(rootward: (server: LowV1) => Rootward) {
    const server = new LowV1({ name: 'low', version: '1' }, { capabilities: { tools: {} } });
    const attached = rootward(server);
    server.setRequestHandler(CallToolRequestSchema, async (_request, context) => textOf(attached, context));
    return { server, attached };
  },
  'v1.12'(rootward: (server: Low12) => Rootward) {
    const server = new Low12({ name: 'low', version: '1' }, { capabilities: { tools: {} } });
    const attached = rootward(server);
    server.setRequestHandler(CallTool12, async (_request, context) => textOf(attached, context));
    return { server, attached };
  },
} as const;

async function textOf(
  rootward: Rootward,
  context: CallContext,
): Promise<{ content: { type: 'text'; text: string }[] }> {
  return { content: [{ type: 'text', text: (await rootward.workspace(context)).project.name }] };
}

test.each(sdkNames)(
  'a low-level server of SDK %s is attached, and its refusals are results too',
  async (sdk) => {
    using tree = tempTree(['app/']);
    const { server, attached } = lowServers[sdk]((one) => attach(one, nowhere));
    const client = await meet({ server, tool: () => undefined }, tree.at('app'));
    expect((await callTool(client, { name: 'any' })).text).toBe('app');
    client.answers.set('roots/list', () => ({ roots: [] }));
    await client.notify('notifications/roots/list_changed');
    expect(await callTool(client, { name: 'any' })).toMatchObject({
      isError: true,
      data: { error: { code: 'NO_ROOTS' } },
    });
    await client.close();
    await attached.close();
  },
);

describe("the author's own handler of list_changed", () => {
  test('keeps working with SDK v2', async () => {
    using tree = tempTree(['app/', 'docs/']);
    const server = new McpServer({ name: 'own', version: '1' });
    await using rootward = attach(server, nowhere);
    let heard = 0;
    const noticed = new Promise<void>((resolve) => {
      server.server.setNotificationHandler('notifications/roots/list_changed', () => {
        heard += 1;
        resolve();
      });
    });
    server.registerTool('where', {}, (context) => textOf(rootward, context));
    const client = await meet({ server, tool: () => undefined }, tree.at('app'));
    expect((await callTool(client, { name: 'where' })).text).toBe('app');
    client.answers.set('roots/list', () => ({ roots: [{ uri: toFileUri(tree.at('docs')) }] }));
    await client.notify('notifications/roots/list_changed');
    await noticed;
    expect((await callTool(client, { name: 'where' })).text).toBe('docs');
    expect(heard).toBe(1);
    await client.close();
  });

  test('keeps working with a server and a client of SDK v1', async () => {
    using tree = tempTree(['app/', 'docs/']);
    const server = createServer.v1();
    await using rootward = attach(server.server, nowhere);
    server.tool('where', usualTools['where']?.(rootward) ?? (() => ''));
    const low = (server.server as unknown as { server: LowV1 }).server;
    const noticed = new Promise<void>((resolve) =>
      low.setNotificationHandler(RootsListChangedNotificationSchema, () => resolve()),
    );
    const client = new ClientV1(
      { name: 'c', version: '1' },
      { capabilities: { roots: { listChanged: true } } },
    );
    let listed = tree.at('app');
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: toFileUri(listed) }] }));
    await using pair = await connectPair({ server: server.server, client });
    const where = async (): Promise<unknown> => (await client.callTool({ name: 'where' })).content;
    expect(await where()).toEqual([{ type: 'text', text: 'app' }]);
    listed = tree.at('docs');
    await client.sendRootsListChanged();
    await noticed;
    expect(await where()).toEqual([{ type: 'text', text: 'docs' }]);
    expect(pair.asks()).toBe(2);
  });
});

test('a refused second transport does not replace the first', async () => {
  using tree = tempTree(['app/', 'docs/']);
  await using pair = await connectLegacy({ roots: [tree.at('app')] });
  await pair.call('where');
  await expect(connectServer(pair.server, linkWires().server)).rejects.toThrow();
  for (const name of ['docs', 'app', 'docs']) {
    pair.list(tree.at(name));
    await pair.changed();
    expect((await pair.call('where')).text).toBe(name);
  }
});

test('attaching twice gives two independent workspaces', async () => {
  using tree = tempTree(['app/', 'docs/']);
  const server = createServer.v2();
  const first = attach(server.server, nowhere);
  const second = attach(server.server, { ...nowhere, ceiling: [tree.at('docs')], merge: 'operator' });
  server.tool('first', usualTools['paths']?.(first) ?? (() => ''));
  server.tool('second', usualTools['paths']?.(second) ?? (() => ''));
  await second.close();
  const client = await meet(server, tree.at('app'));
  expect((await callTool(client, { name: 'first' })).text).toBe(tree.at('app'));
  client.answers.set('roots/list', () => ({ roots: [{ uri: toFileUri(tree.at('docs')) }] }));
  await client.notify('notifications/roots/list_changed');
  expect((await callTool(client, { name: 'first' })).text).toBe(tree.at('docs'));
  await client.close();
  await first.close();
});

test('a server can be reconnected again and again, with our tools', async () => {
  using tree = tempTree(['app/']);
  const server = createServer.v2();
  await using rootward = attach(server.server, { ...nowhere, tools: true });
  for (let count = 0; count < 50; count += 1) {
    const client = await meet(server, tree.at('app'));
    const { data } = await callTool(client, { name: 'list_roots' });
    expect(data).toMatchObject({ project: { name: 'app' } });
    await client.close();
  }
  expect(await rootward.roots()).toEqual([]);
});

test('an unawaited promise that fails does not end the process', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  await using pair = await connectLegacy({
    options: { timeout: 30 },
    tools: {
      careless: (rootward) => (context) => {
        void rootward.workspace(context);
        void rootward.access(context, { operation: 'read', path: '/etc/passwd' }, () => '');
        void rootward.roots(context);
        void rootward.workspace();
        return 'done';
      },
    },
  });
  pair.client.answers.set('roots/list', () => silence);
  expect((await pair.call('careless')).text).toBe('done');
  await pair.client.question();
  await pair.call('paths');
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});

test.each([
  ['a ceiling that is no absolute path', { ceiling: ['app'] }, 'INVALID_PATH'],
  ['a project that is no absolute path', { project: 'app' }, 'INVALID_PATH'],
  [
    'a project that is no absolute path, beside a ceiling',
    { ceiling: ['/srv'], project: 'app' },
    'INVALID_PATH',
  ],
  ['a marker that is a path', { markers: ['.blue/x'] }, 'INVALID_MARKER'],
  ['a policy with a mistake', { policy: { alow: [] } as never }, 'INVALID_POLICY'],
])('refuses to start with %s', (_name, options, code) => {
  const server = new McpServer({ name: 'strict', version: '1' });
  expect(() => attach(server, options)).toThrow(expect.objectContaining({ code }));
});

/** Closing is asynchronous: checks on each turn of the event loop. */
async function settled(done: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !done(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
