import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { attach } from '../../src/server/attach.ts';
import { type TempTree, tempTree } from '../../src/testing/temp-tree.ts';
import { registerTools } from '../../src/tools/register-tools.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A server on a tree of its own, as a client sees it. */
export interface ServedTree extends AsyncDisposable {
  readonly client: Client;
  /** The directory that it may reach, `app` in the tree. */
  readonly root: string;
  /** Makes the tree what it was. The directory itself stays: servers hold it. */
  reset(): void;
  /** Calls a tool. In arguments and results `$TREE` stands for the path of the tree. */
  call(name: string, input: Arguments): Promise<unknown>;
}

/** The reference file server, as its own process over stdio. */
export async function serveReference(entries: readonly string[]): Promise<ServedTree> {
  const tree = tempTree(entries);
  const program = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-filesystem/dist/index.js',
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, tree.at('app')],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'contract', version: '1.0.0' });
  await client.connect(transport);
  return served(tree, client, { entries, close: () => client.close() });
}

/** Our tools, on a server of SDK v2. */
export async function serveOurs(entries: readonly string[]): Promise<ServedTree> {
  const tree = tempTree(entries);
  const server = new McpServer({ name: 'rootward', version: '1.0.0' });
  const rootward = attach(server, {
    ceiling: [tree.at('app')],
    policy: { preset: 'write-in-project', secrets: false },
  });
  registerTools(server, rootward);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'contract', version: '1.0.0' });
  await Promise.all([server.connect(far), client.connect(near)]);
  const close = async (): Promise<void> => {
    await client.close();
    await rootward.close();
  };
  return served(tree, client, { entries, close });
}

interface Life {
  readonly entries: readonly string[];
  readonly close: () => Promise<void>;
}

function served(tree: TempTree, client: Client, { entries, close }: Life): ServedTree {
  return {
    client,
    root: tree.at('app'),
    reset() {
      for (const name of readdirSync(tree.at('app'))) rmSync(tree.at('app', name), { recursive: true });
      for (const name of readdirSync(tree.path))
        if (name !== 'app') rmSync(tree.at(name), { recursive: true });
      tree.add(...entries);
    },
    async call(name, input) {
      const placed = JSON.parse(JSON.stringify(input).replaceAll('$TREE', tree.path)) as Arguments;
      const result = await client.callTool({ name, arguments: placed });
      return JSON.parse(JSON.stringify(result).replaceAll(tree.path, '$TREE')) as unknown;
    },
    async [Symbol.asyncDispose]() {
      await close();
      tree[Symbol.dispose]();
    },
  };
}
