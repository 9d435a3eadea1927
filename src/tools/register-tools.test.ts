import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as TransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { attach } from '../server/attach.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { allTools } from './all-tools.ts';
import { registerTools, type RegisterToolsOptions } from './register-tools.ts';
import type { ToolFailure } from './tool/tool-call.ts';
import { defineTool, type Tool, type ToolCall } from './tool/tool.ts';

const identity = { name: 'test', version: '1.0.0' };

interface Connected extends AsyncDisposable {
  readonly client: Client;
  readonly registered: ReturnType<typeof registerTools<McpServer>>;
}

async function connect(root: string, options: RegisterToolsOptions = {}): Promise<Connected> {
  const server = new McpServer(identity);
  const rootward = attach(server, { ceiling: [root], policy: { preset: 'write-in-project' } });
  const registered = registerTools(server, rootward, options);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client(identity);
  await Promise.all([server.connect(far), client.connect(near)]);
  return {
    client,
    registered,
    async [Symbol.asyncDispose]() {
      await client.close();
      await rootward.close();
    },
  };
}

test('offers every tool with its schemas and annotations', async () => {
  using tree = tempTree(['app/']);
  await using connected = await connect(tree.at('app'));
  const { tools } = await connected.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(allTools.map(({ name }) => name));
  expect(tools.map(({ outputSchema }) => outputSchema !== undefined)).toEqual(
    allTools.map(({ answers }) => answers === 'data'),
  );
  expect(tools.map(({ annotations }) => annotations)).toEqual(allTools.map(({ annotations }) => annotations));
  expect([...connected.registered.keys()]).toEqual(allTools.map(({ name }) => name));
});

test('offers only tools that can be allowed', async () => {
  using tree = tempTree(['app/']);
  await using connected = await connect(tree.at('app'), { operations: ['read', 'list'] });
  const { tools } = await connected.client.listTools();
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  expect(tools.map(({ name }) => name)).toContain('search_text');
});

test('a tool description can name the roots', async () => {
  using tree = tempTree(['app/']);
  const describe = ({ description }: Tool): string => `${description} Roots: app.`;
  await using connected = await connect(tree.at('app'), { describe });
  const { tools } = await connected.client.listTools();
  expect(tools.every(({ description }) => description?.endsWith('Roots: app.'))).toBe(true);
});

test('answers a call, and refuses with the hint and the data', async () => {
  using tree = tempTree(['app/a.txt = A', 'secret']);
  await using connected = await connect(tree.at('app'));
  const { client } = connected;
  const read = (path: string): Promise<unknown> =>
    client.callTool({ name: 'read_text_file', arguments: { path } });
  expect(await read('a.txt')).toEqual({ content: [{ type: 'text', text: 'A' }] });
  expect(await read('nothing')).toEqual({
    isError: true,
    content: [
      {
        type: 'text',
        text: 'Cannot read "nothing": it does not exist\nCheck the spelling, or list the directory above it',
      },
    ],
    _meta: expect.objectContaining({ 'rootward/error': expect.objectContaining({ code: 'NOT_FOUND' }) }),
  });
});

test('a validating SDK v1 client accepts refusals', async () => {
  using tree = tempTree(['app/a.txt = A']);
  const server = new McpServerV1(identity);
  const rootward = attach(server, { ceiling: [tree.at('app')] });
  registerTools(server, rootward);
  const [near, far] = TransportV1.createLinkedPair();
  const client = new ClientV1(identity);
  await Promise.all([server.connect(far), client.connect(near)]);
  await client.listTools();
  const read = (path: string): Promise<unknown> =>
    client.callTool({ name: 'read_text_file', arguments: { path } });
  expect(await read('a.txt')).toEqual({ content: [{ type: 'text', text: 'A' }] });
  expect(await read('nothing')).toMatchObject({ isError: true });
  const found = await client.callTool({ name: 'search_text', arguments: { pattern: 'A', structured: true } });
  expect(found).toMatchObject({ structuredContent: { matches: 1 } });
  await client.close();
  await rootward.close();
});

/** A tool for one test. */
function toolThat(run: (call: ToolCall) => Promise<void>): Tool {
  return defineTool({
    name: 'act',
    title: 'Act',
    description: 'Acts',
    operations: [],
    effect: 'read',
    input: z.object({}),
    output: z.object({ done: z.boolean() }),
    async run(_input, call) {
      await run(call);
      return { content: [], structuredContent: { done: true } };
    },
  });
}

test('reports an unexpected error to the operator, and only its existence to the client', async () => {
  using tree = tempTree(['app/']);
  const failures: ToolFailure[] = [];
  const tools = [toolThat(() => Promise.reject(new Error('/etc/secret is broken')))];
  await using connected = await connect(tree.at('app'), {
    tools,
    report: (failure) => void failures.push(failure),
  });
  const result = await connected.client.callTool({ name: 'act', arguments: {} });
  const [failure] = failures;
  expect(failure).toMatchObject({ tool: 'act', error: { message: '/etc/secret is broken' } });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: `Cannot run act: it failed inside (${failure?.id})` }],
  });
});

test('progress reaches a client that asks for it', async () => {
  using tree = tempTree(['app/']);
  const tools = [toolThat(async (call) => call.progress(1, 2, 'half'))];
  await using connected = await connect(tree.at('app'), { tools });
  const progress: unknown[] = [];
  const onprogress = (step: unknown): void => void progress.push(step);
  await connected.client.callTool({ name: 'act', arguments: {} }, { onprogress });
  expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }]);
});

test('ends the work when the client cancels', async () => {
  using tree = tempTree(['app/']);
  const cancel = new AbortController();
  const seen = new AbortController();
  const wait = ({ signal }: ToolCall): Promise<void> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        seen.abort();
        reject(new Error('aborted'));
      });
      cancel.abort();
    });
  const ended = once(seen.signal, 'abort');
  await using connected = await connect(tree.at('app'), { tools: [toolThat(wait)] });
  const calling = connected.client.callTool({ name: 'act', arguments: {} }, { signal: cancel.signal });
  await expect(calling).rejects.toThrow();
  expect(await ended).toHaveLength(1);
});
