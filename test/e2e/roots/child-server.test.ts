import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import type { RootsClient } from '../../../src/client/expose/client-peer.ts';
import { expose } from '../../../src/client/expose/expose.ts';
import { openRootStore } from '../../../src/client/store/open-root-store.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';

const program = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/dist/index.js',
);
const info = { name: 'test', version: '1.0.0' };

/** What is used of a client of either SDK. */
interface Caller extends RootsClient {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const hosts: Readonly<
  Record<string, (args: readonly string[]) => Promise<{ client: Caller; connect: () => Promise<void> }>>
> = {
  'SDK v1': async (args) => {
    const client = new ClientV1(info);
    const transport = new StdioV1({ command: process.execPath, args: [...args], stderr: 'ignore' });
    return { client: client as unknown as Caller, connect: () => client.connect(transport) };
  },
  'SDK v2': async (args) => {
    const client = new ClientV2(info);
    const transport = new StdioV2({ command: process.execPath, args: [...args], stderr: 'ignore' });
    return { client: client as unknown as Caller, connect: () => client.connect(transport) };
  },
};

test.each(Object.entries(hosts))(
  'with %s, a server of another author, in another process, follows what is granted and revoked',
  { timeout: 60_000 },
  async (_name, makeHost) => {
    using tree = tempTree(['app/a.txt', 'docs/b.txt']);
    await using store = await openRootStore({ file: tree.at('config', 'roots.jsonc') });
    await store.add(tree.at('app'));
    // It wants one directory to begin with, and forgets it when it hears of roots.
    mkdirSync(tree.at('unused'));
    const args = [program, tree.at('unused')];
    const { client, connect } = await makeHost(args);
    const detach = expose(client, store, { server: { name: 'files', command: process.execPath, args } });
    await connect();
    const allowed = async (): Promise<string> =>
      JSON.stringify(await client.callTool({ name: 'list_allowed_directories', arguments: {} }));
    await expect.poll(allowed, { timeout: 20_000 }).toContain(tree.at('app'));
    expect(await allowed()).not.toContain(tree.at('docs'));
    await store.add(tree.at('docs'));
    await expect.poll(allowed, { timeout: 20_000 }).toContain(tree.at('docs'));
    const read = async (path: string): Promise<string> =>
      JSON.stringify(await client.callTool({ name: 'read_text_file', arguments: { path } }));
    expect(await read(tree.at('app', 'a.txt'))).toContain('app/a.txt');
    await store.remove('app');
    await expect.poll(allowed, { timeout: 20_000 }).not.toContain(tree.at('app'));
    expect(await read(tree.at('app', 'a.txt'))).toContain('Access denied');
    detach();
    await client.close();
  },
);
