import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as TransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { probeConfinement } from '../../src/boundary/process/confinement.ts';
import { attach } from '../../src/server/attach.ts';
import { tempTree } from '../../src/testing/temp-tree.ts';
import { buildConfig } from '../../src/tools/project/build-config.ts';
import { findDocs } from '../../src/tools/project/find-docs.ts';
import { projectInfo } from '../../src/tools/project/project-info.ts';
import { registerTools, type ToolServer } from '../../src/tools/register-tools.ts';
import { createShell } from '../../src/tools/shell.ts';
import type { Tool } from '../../src/tools/tool/tool.ts';
import { survivors } from '../support/processes/run-in-sandbox.ts';
import { canRun, needs } from '../support/processes/system-programs.ts';

const identity = { name: 'test', version: '1.0.0' };
const policy = { allow: ['read', 'list', 'write', 'remove', 'execute'] } as const;

async function tools(): Promise<readonly Tool[]> {
  const shell = createShell({ confinement: await probeConfinement() });
  return [projectInfo, findDocs, buildConfig, ...(shell === undefined ? [] : [shell])];
}

async function offer(server: ToolServer & object, root: string): Promise<void> {
  const rootward = attach(server as McpServer, { ceiling: [root], policy });
  registerTools(server, rootward, { tools: await tools() });
}

const generations = {
  'SDK v2': async (root: string) => {
    const server = new McpServer(identity);
    await offer(server, root);
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client(identity);
    await Promise.all([server.connect(far), client.connect(near)]);
    return client;
  },
  'SDK v1': async (root: string) => {
    const server = new McpServerV1(identity);
    await offer(server, root);
    const [near, far] = TransportV1.createLinkedPair();
    const client = new ClientV1(identity);
    await Promise.all([server.connect(far), client.connect(near)]);
    return client;
  },
} as const;

const entries = ['app/package.json = {"name":"app","scripts":{"test":"vitest"}}', 'app/README.md = # App\n'];

describe.each(Object.keys(generations) as (keyof typeof generations)[])('over %s', (generation) => {
  test('the tools of a project answer as their schemas say', async () => {
    using tree = tempTree(entries);
    const client = await generations[generation](tree.at('app'));
    // The client compares what it gets with the schemas that it was told.
    await client.listTools();
    const call = async (name: string, args = {}): Promise<unknown> => {
      const { structuredContent, content } = await client.callTool({ name, arguments: args });
      return structuredContent ?? content;
    };
    expect(await call('project_info')).toMatchObject({ roots: [{ projects: [{ name: 'app' }] }] });
    expect(await call('find_docs', { query: 'app' })).toMatchObject([
      { text: expect.stringMatching(/^README\.md: App/) },
    ]);
    expect(await call('build_config', { task: 'test' })).toMatchObject({
      commands: [{ command: 'npm test' }],
    });
    await client.close();
  });

  test.runIf(process.platform === 'linux' && canRun('bwrap'))(
    `a command line runs in the project and reports progress${needs('bwrap')}`,
    async () => {
      using tree = tempTree(entries);
      const client = await generations[generation](tree.at('app'));
      await client.listTools();
      const messages: unknown[] = [];
      const onprogress = ({ message }: { readonly message?: string | undefined }): void =>
        void messages.push(message);
      const request = { name: 'shell', arguments: { command: 'pwd; sleep 1.5' } };
      const { content } =
        client instanceof Client
          ? await client.callTool(request, { onprogress })
          : await client.callTool(request, undefined, { onprogress });
      expect(content).toMatchObject([
        { text: expect.stringMatching(`^Exit code 0 after .*\n--- stdout\n${tree.at('app')}$`) },
      ]);
      expect(messages[0]).toMatch(/^\d+ bytes of output after 1 s$/);
      await client.close();
    },
  );

  test.runIf(process.platform === 'linux' && canRun('bwrap'))(
    `a command line ends when its call is cancelled${needs('bwrap')}`,
    async () => {
      using tree = tempTree(entries);
      const client = await generations[generation](tree.at('app'));
      const cancel = new AbortController();
      const seconds = generation === 'SDK v2' ? '98771' : '98772';
      const request = { name: 'shell', arguments: { command: `sleep ${seconds} & sleep ${seconds}` } };
      const options = { signal: cancel.signal };
      const running =
        client instanceof Client
          ? client.callTool(request, options)
          : client.callTool(request, undefined, options);
      await expect.poll(() => survivors(seconds), { timeout: 20_000 }).toHaveLength(2);
      cancel.abort();
      await expect(running).rejects.toThrow();
      await expect.poll(() => survivors(seconds)).toEqual([]);
      await client.close();
    },
  );
});
