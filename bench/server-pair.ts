import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { toFileUri } from '../src/path/file-uri.ts';
import { attach } from '../src/server/attach.ts';

/** A server and its client in one process, 2025 era, SDK v2 on both sides. */
export interface Pair extends AsyncDisposable {
  readonly client: Client;
  readonly call: () => Promise<unknown>;
  asked(): number;
}

/** `attached`: the tool awaits its workspace; otherwise it knows the answer. */
export async function openPair(root: string, attached: boolean): Promise<Pair> {
  const server = new McpServer({ name: 'bench', version: '1' });
  const rootward = attached ? attach(server) : undefined;
  server.registerTool('where', {}, async (ctx) => {
    const name = rootward === undefined ? 'bench' : (await rootward.workspace(ctx)).project.name;
    return { content: [{ type: 'text', text: name }] };
  });
  const client = new Client(
    { name: 'bench', version: '1' },
    { capabilities: { roots: { listChanged: true } } },
  );
  let asked = 0;
  client.setRequestHandler('roots/list', () => {
    asked += 1;
    return { roots: [{ uri: toFileUri(root) }] };
  });
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await server.connect(serverEnd);
  await client.connect(clientEnd);
  return {
    client,
    call: () => client.callTool({ name: 'where', arguments: {} }),
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      await client.close();
      await rootward?.close();
    },
  };
}
