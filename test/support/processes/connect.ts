import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StdioClientTransport as Transport12 } from 'sdk-1.12/client/stdio.js';
import {
  type ClientName,
  createSdkClient,
  type SdkClient,
  type SdkClientOptions,
} from '../peers/sdk-client.ts';
import { type CommandOptions, serveCommand } from './command.ts';
import { apart, openWireHere } from './serve-here.ts';

/** A client of an SDK, with the command behind it. */
export interface Connected extends SdkClient, AsyncDisposable {
  readonly home: string;
  readonly stderr: () => string;
}

export async function connect(
  name: ClientName,
  options: CommandOptions & SdkClientOptions = {},
): Promise<Connected> {
  const own = serveCommand(options);
  const client = createSdkClient(name, options);
  const parameters = { ...own, args: [...own.args], env: { ...own.env } as Record<string, string> };
  const transport = transportFor(client.raw, { ...parameters, stderr: 'pipe' });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await (client.raw as ClientV1).connect(transport as TransportV1);
  return {
    ...client,
    home: own.home,
    stderr: () => stderr,
    async [Symbol.asyncDispose]() {
      await client.close();
      own[Symbol.dispose]();
    },
  };
}

/** The same with a server in the process of the test, for what depends on settings and calls alone. */
export async function connectHere(
  name: ClientName,
  options: CommandOptions & SdkClientOptions = {},
): Promise<Connected> {
  if (apart) return connect(name, options);
  const own = serveCommand(options);
  const client = createSdkClient(name, options);
  const wire = openWireHere(own);
  await (client.raw as ClientV1).connect(wire);
  return {
    ...client,
    home: own.home,
    stderr: wire.stderr,
    async [Symbol.asyncDispose]() {
      await client.close();
      own[Symbol.dispose]();
    },
  };
}

type Parameters = ConstructorParameters<typeof TransportV1>[0];

function transportFor(
  raw: SdkClient['raw'],
  parameters: Parameters,
): TransportV1 | TransportV2 | Transport12 {
  if (raw instanceof ClientV2) return new TransportV2(parameters);
  return raw instanceof ClientV1 ? new TransportV1(parameters) : new Transport12(parameters);
}
