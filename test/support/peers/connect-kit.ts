import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { createKit, type KitOptions } from '../../../src/serve/kit/kit.ts';
import type { AttachOptions } from '../../../src/server/settings/attach-options.ts';
import type { Rootward } from '../../../src/server/settings/rootward.ts';

export interface KitClient extends AsyncDisposable {
  readonly client: Client;
  readonly rootward: Rootward;
  /** Lists others from now on, and says so. */
  list(...paths: readonly string[]): Promise<void>;
  /** How often it was told that the tools changed. */
  readonly changes: () => number;
}

export interface KitClientOptions extends Partial<Pick<KitOptions, 'tools' | 'instructions' | 'answers'>> {
  readonly attach?: AttachOptions;
  /** What the client lists; no roots capability without it. */
  readonly roots?: readonly string[];
  /** The revision that the client asks for; the newest of 2025 by default. */
  readonly revision?: string;
  /** The name of the client. */
  readonly name?: string;
}

/** A client of 2025 on a ready server, in this process. Nothing of this machine tells a project. */
export async function connectKit(options: KitClientOptions = {}): Promise<KitClient> {
  const { tools = [], instructions = '', attach, roots, answers, revision, name = 'tester' } = options;
  let listed = roots ?? [];
  let changes = 0;
  const kit = createKit({
    version: '1.2.3',
    tools,
    instructions,
    ...(answers && { answers }),
    attach: { environment: {}, cwd: '/', ...attach },
  });
  const { server, rootward } = kit.createServer();
  const capabilities = roots === undefined ? {} : { roots: { listChanged: true } };
  const client = new Client(
    { name, version: '1.0.0' },
    { capabilities, ...(revision !== undefined && { supportedProtocolVersions: [revision] }) },
  );
  if (roots !== undefined)
    client.setRequestHandler('roots/list', () => ({
      roots: listed.map((path) => ({ uri: `file://${path}` })),
    }));
  client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return {
    client,
    rootward,
    async list(...paths) {
      listed = paths;
      await client.sendRootsListChanged();
    },
    changes: () => changes,
    async [Symbol.asyncDispose]() {
      await client.close();
      await rootward.close();
      kit.close();
    },
  };
}
