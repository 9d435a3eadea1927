import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readdirSync, rmSync } from 'node:fs';
import { type TempTree, tempTree } from '../../../src/testing/temp-tree.ts';
import { type OwnCommand, referenceCommand, serveCommand } from '../processes/command.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A server on a tree of its own, as a client sees it. */
export interface ServedTree extends AsyncDisposable {
  readonly client: Client;
  /** The directory that it may reach, `app` in the tree. */
  readonly root: string;
  /** Makes the tree what it was. The directory itself stays: servers hold it. */
  reset(): void;
  /** Calls a tool. In arguments and results `$TREE` stands for the path of the tree, which is home, too. */
  call(name: string, input: Arguments): Promise<unknown>;
}

/** The reference file server, as its own process over stdio. */
export function serveReference(entries: readonly string[]): Promise<ServedTree> {
  return serve(entries, (tree) => referenceCommand(tree.at('app')));
}

/** Ours in the same way: the command that people install, as it is when they name a directory and nothing else. */
export function serveOurs(entries: readonly string[]): Promise<ServedTree> {
  return serve(entries, (tree) => serveCommand({ args: [tree.at('app'), '--compat'] }));
}

async function serve(
  entries: readonly string[],
  commandFor: (tree: TempTree) => OwnCommand,
): Promise<ServedTree> {
  const tree = tempTree(entries);
  const own = commandFor(tree);
  const env = { ...own.env, HOME: tree.path } as Record<string, string>;
  const transport = new StdioClientTransport({ ...own, args: [...own.args], env, stderr: 'ignore' });
  const client = new Client({ name: 'contract', version: '1.0.0' });
  await client.connect(transport);
  const close = async (): Promise<void> => {
    await client.close();
    own[Symbol.dispose]();
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
