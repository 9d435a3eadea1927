import { Client } from '@modelcontextprotocol/client';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Server as LowServer, ProtocolError, McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { McpServer as Server12 } from 'sdk-1.12/server/mcp.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  callTool,
  connectLegacy,
  connectServer,
  introduce,
  nowhere,
} from '../../../test/support/peers/connect-legacy.ts';
import { openRawClient, type RawClient } from '../../../test/support/peers/raw-client.ts';
import { sdkNames } from '../../../test/support/peers/sdks.ts';
import { RootwardError } from '../../errors.ts';
import { connectPair } from '../../testing/connect-pair.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { linkWires } from '../../testing/wires.ts';
import { attach } from '../attach.ts';
import type { CallContext } from '../sdk/call-context.ts';
import type { Rootward } from '../settings/rootward.ts';

describe.each(sdkNames)('a refusal on a server of SDK %s', (sdk) => {
  test('is a result with the hint and the data', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({ sdk, roots: [tree.at('app')] });
    const { isError, text, data, message } = await pair.call('read', { path: '/etc/passwd' });
    expect(message['error']).toBeUndefined();
    expect(isError).toBe(true);
    expect(text).toBe('Cannot reach "/etc/passwd": it is outside the roots\nRoots are: app');
    expect(data).toEqual({
      error: {
        code: 'OUTSIDE_ROOTS',
        message: 'Cannot reach "/etc/passwd": it is outside the roots',
        hint: 'Roots are: app',
        data: { path: '/etc/passwd', roots: ['app'] },
      },
    });
  });

  test('is up to the author, if the author catches it', async () => {
    await using pair = await connectLegacy({
      sdk,
      capabilities: {},
      tools: {
        own: (rootward) => async (context) => {
          try {
            return (await rootward.workspace(context)).project.name;
          } catch (error) {
            return RootwardError.is(error, 'PROJECT_NOT_FOUND') ? 'my own words' : 'something else';
          }
        },
      },
    });
    expect(await pair.call('own')).toMatchObject({ text: 'my own words', isError: false, data: {} });
  });

  test('is converted only if it came from us', async () => {
    await using pair = await connectLegacy({
      sdk,
      tools: {
        fail: () => () => {
          throw new Error('Cannot reach "x": it is outside the roots');
        },
      },
    });
    expect(await pair.call('fail')).toMatchObject({ isError: true, data: {} });
  });

  test('is explained even if the author throws it', async () => {
    await using pair = await connectLegacy({
      sdk,
      tools: {
        fail: () => () => {
          throw new RootwardError('CLOSED', { root: 'app' });
        },
      },
    });
    expect((await pair.call('fail')).text).toContain('Cannot use root "app": it is closed');
  });
});

/** Prompts and resources are registered alike in all of them. */
const registrations = {
  v2(server: ServerV2, rootward: Rootward) {
    server.registerPrompt('where', {}, (context) => promptOf(rootward, context));
    server.registerResource('where', 'app://where', {}, (uri, context) => resourceOf(rootward, uri, context));
  },
  v1(server: ServerV1, rootward: Rootward) {
    server.registerPrompt('where', {}, (context) => promptOf(rootward, context as CallContext));
    server.registerResource('where', 'app://where', {}, (uri, context) => resourceOf(rootward, uri, context));
  },
  'v1.12'(server: Server12, rootward: Rootward) {
    server.prompt('where', (context) => promptOf(rootward, context));
    server.resource('where', 'app://where', (uri, context) => resourceOf(rootward, uri, context));
  },
} as const;

type PromptResult = { messages: { role: 'user'; content: { type: 'text'; text: string } }[] };

async function promptOf(rootward: Rootward, context: CallContext): Promise<PromptResult> {
  const { project } = await rootward.workspace(context);
  return { messages: [{ role: 'user', content: { type: 'text', text: project.name } }] };
}

async function resourceOf(
  rootward: Rootward,
  uri: URL,
  context: CallContext,
): Promise<{ contents: { uri: string; text: string }[] }> {
  const { project } = await rootward.workspace(context);
  return { contents: [{ uri: uri.href, text: project.name }] };
}

async function connectWith(
  server: ServerV2 | ServerV1 | Server12,
  roots: readonly string[],
): Promise<{ client: RawClient; rootward: Rootward }> {
  const rootward = attach(server, nowhere);
  if (server instanceof ServerV2) registrations.v2(server, rootward);
  else if (server instanceof ServerV1) registrations.v1(server, rootward);
  else registrations['v1.12'](server, rootward);
  const wires = linkWires();
  await connectServer({ server, tool: () => undefined }, wires.server);
  const client = await openRawClient(wires.client);
  client.answers.set('roots/list', () => ({ roots: roots.map((path) => ({ uri: `file://${path}` })) }));
  await introduce(client);
  return { client, rootward };
}

const identity = { name: 's', version: '1' };
const created = {
  v2: () => new ServerV2(identity),
  v1: () => new ServerV1(identity),
  'v1.12': () => new Server12(identity),
};

describe.each(sdkNames)('prompts and resources on a server of SDK %s', (sdk) => {
  test.each([
    ['prompts/get', { name: 'where' }],
    ['resources/read', { uri: 'app://where' }],
  ])('%s has its workspace, and a refusal is a protocol error', async (method, params) => {
    using tree = tempTree(['app/']);
    const roots = [tree.at('app')];
    const { client, rootward } = await connectWith(created[sdk](), roots);
    expect(JSON.stringify((await client.request(method, params))['result'])).toContain('"text":"app"');
    roots.pop();
    await client.notify('notifications/roots/list_changed');
    const { error, result } = await client.request(method, params);
    expect(result).toBeUndefined();
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Cannot reach any file.*Open a folder in the client/),
    });
    // SDK 1.12 sends no data with an error.
    if (sdk !== 'v1.12') expect(error).toMatchObject({ data: { code: 'NO_ROOTS' } });
    await client.close();
    await rootward.close();
  });
});

test('passes on other requests: an unknown tool, a bad argument, a ping', async () => {
  await using pair = await connectLegacy({ options: { tools: true } });
  expect((await pair.client.request('ping'))['result']).toEqual({});
  const unknown = await callTool(pair.client, { name: 'nobody' });
  expect(unknown.isError || unknown.message['error'] !== undefined).toBe(true);
  const bad = await pair.call('read', { path: 5 });
  expect(bad.isError || bad.message['error'] !== undefined).toBe(true);
  expect((await pair.client.request('no/method'))['error']).toMatchObject({ code: -32601 });
});

test('our tool replaces a tool of the author with the same name', async () => {
  using tree = tempTree(['app/']);
  await using pair = await connectLegacy({
    roots: [tree.at('app')],
    options: { tools: ['why'] },
    tools: { why: () => () => 'mine' },
  });
  expect((await pair.call('why')).data).toMatchObject({ source: 'roots' });
  const { result } = await pair.client.request('tools/list');
  const names = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
  expect(names.filter((name) => name === 'why')).toHaveLength(1);
});

test('keeps concurrent calls apart', async () => {
  using tree = tempTree(['one/', 'two/']);
  await using pair = await connectLegacy({
    roots: [tree.at('one'), tree.at('two')],
    options: { argument: true },
  });
  const names = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'one' : 'two'));
  const texts = await Promise.all(
    names.map(async (name) => (await pair.call('where', { cwd: tree.at(name) })).text),
  );
  expect(texts).toEqual(names);
});

describe('an error after a change', () => {
  const policy = { allow: ['read' as const, 'write' as const] };
  const write = (rootward: Rootward, context: CallContext): Promise<void> =>
    rootward.access(context, { operation: 'write', path: 'a.txt' }, ({ boundary, relative }) =>
      boundary.write(relative, 'written'),
    );

  test.each(sdkNames)('lists the changes, on a server of SDK %s', async (sdk) => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy({
      sdk,
      roots: [tree.at('app')],
      options: { policy },
      tools: {
        fall: (rootward) => async (context) => {
          await write(rootward, context);
          throw new TypeError('a mistake of the author');
        },
        lead: (rootward) => async (context) => {
          await write(rootward, context);
          return rootward.access(context, { operation: 'read', path: '/etc/passwd' }, () => 'read');
        },
      },
    });
    for (const name of ['fall', 'lead']) {
      const { isError, text } = await pair.call(name);
      expect(isError).toBe(true);
      expect(text).toContain('Before this error the call had written "a.txt" in "app".');
    }
  });

  test('lists the changes even if the result does not match its schema', async () => {
    using tree = tempTree(['app/']);
    const server = new ServerV2({ name: 's', version: '1' });
    await using rootward = attach(server, { ...nowhere, policy, ceiling: [tree.at('app')] });
    const promised = { outputSchema: z.object({ count: z.number() }) };
    server.registerTool('odd', promised, async (context) => {
      await write(rootward, context);
      return { content: [], structuredContent: { count: 'many' as unknown as number } };
    });
    const client = new Client({ name: 'c', version: '1' });
    await using pair = await connectPair({ server, client });
    expect(pair.asks()).toBe(0);
    const said = await client.callTool({ name: 'odd' }).then(JSON.stringify, String);
    expect(said).toContain('Before this error the call had written');
  });

  test('keeps its code if it is a protocol error', async () => {
    using tree = tempTree(['app/']);
    const server = new LowServer({ name: 's', version: '1' }, { capabilities: { tools: {} } });
    await using rootward = attach(server, { ...nowhere, policy, ceiling: [tree.at('app')] });
    server.setRequestHandler('tools/call', async (_request, context) => {
      await write(rootward, context);
      throw new ProtocolError(-32_602, 'no such thing');
    });
    const client = new Client({ name: 'c', version: '1' });
    await using pair = await connectPair({ server, client });
    expect(pair.asks()).toBe(0);
    await expect(client.callTool({ name: 'x' })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/no such thing.*had written "a.txt" in "app"/s),
    });
  });
});
