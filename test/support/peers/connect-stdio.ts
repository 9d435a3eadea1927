import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StdioClientTransport as Transport12 } from 'sdk-1.12/client/stdio.js';
import type { AttachOptions } from '../../../src/server/index.ts';
import type { ServerCommand } from '../../../src/testing/index.ts';
import { builtPeer } from '../processes/build-once.ts';
import type { SdkName } from './fixtures/build-parts.ts';
import { type ClientName, createSdkClient, type SdkClient, type SdkClientOptions } from './sdk-client.ts';

/** Options that can be written down for another process. */
export type WrittenOptions = Pick<
  AttachOptions,
  'timeout' | 'merge' | 'ceiling' | 'project' | 'eager' | 'chdir' | 'tools' | 'reuse'
>;

/** How a server of these tests is started. It knows nothing but what the client tells it. */
export function serverCommand(sdk: SdkName, options: WrittenOptions = {}): ServerCommand {
  const written = JSON.stringify({ environment: {}, cwd: '/', ...options });
  return { command: process.execPath, args: [builtPeer, sdk, written] };
}

export interface StdioParts extends SdkClientOptions {
  readonly server: SdkName;
  readonly client: ClientName;
  readonly options?: WrittenOptions;
}

/** A real client and a real server, in a process of its own. */
export async function connectStdio(parts: StdioParts): Promise<SdkClient & AsyncDisposable> {
  const { command, args = [] } = serverCommand(parts.server, parts.options);
  const client = createSdkClient(parts.client, parts);
  const parameters = { command, args: [...args] };
  const { raw } = client;
  if (raw instanceof ClientV2) await raw.connect(new TransportV2(parameters));
  else if (raw instanceof ClientV1) await raw.connect(new TransportV1(parameters));
  else await raw.connect(new Transport12(parameters));
  return { ...client, [Symbol.asyncDispose]: async () => client.close() };
}
