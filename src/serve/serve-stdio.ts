import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server';
import { isFields } from '../base/fields.ts';
import type { ConnectionOptions, Kit } from './kit/kit.ts';
import type { KitServer } from './kit/kit-server.ts';
import { LineTransport, MessageTooLong } from './stdio/line-transport.ts';
import { reserveStdout } from './stdio/reserve-stdout.ts';
import type { ServeRecords } from './open-records.ts';
import type { GuestStreams } from './settings/process-context.ts';
import type { StartSweep } from './sweep-at-start.ts';
import { untilEnded } from './until-ended.ts';

export interface StdinParts {
  readonly kit: Kit;
  readonly records: Pick<ServeRecords, 'log'>;
  /** Sweeps the roots of each client. */
  readonly sweep?: Pick<StartSweep, 'follow'> | undefined;
  readonly guest?: GuestStreams | undefined;
}

/** Speaks MCP on stdin and stdout until one of them ends. Nothing else may write to stdout from here on. */
export async function serveStdin({ kit, records: { log }, sweep, guest }: StdinParts): Promise<void> {
  const streams = guest ?? process;
  const transport = new LineTransport(streams.stdin, reserveStdout(streams));
  transport.onerror = (error) => {
    log({ kind: 'wire', message: error.message });
    if (error instanceof MessageTooLong) streams.stderr.write(`rootward: ${error.message}\n`);
  };
  transport.onstep = log;
  const connections: Closable[] = [];
  const workspaces: Closable[] = [];
  const createServer = (options?: ConnectionOptions): KitServer => {
    const { server, rootward } = kit.createServer(options);
    workspaces.push(rootward);
    sweep?.follow(rootward);
    return server;
  };
  const serving = serveFirst(transport, createServer, connections);
  const closed = Promise.all([serving, transport.closed]);
  await untilEnded(guest === undefined ? closed : Promise.race([closed, guest.ended]));
  for (const part of [...connections, ...workspaces]) await part.close();
  await transport.close();
  await serving;
}

interface Closable {
  close(): Promise<void>;
}

/**
 * Serves a 2025 client directly. A message that may come from a 2026 client goes to the SDK, which tells them
 * apart.
 */
async function serveFirst(
  transport: LineTransport,
  createServer: (options?: ConnectionOptions) => KitServer,
  connections: Closable[],
): Promise<void> {
  const first = await transport.first();
  if (first === undefined) return;
  if (isPlainInitialize(first)) {
    const server = createServer();
    connections.push(server);
    await server.connect(transport);
    return;
  }
  const [{ serveStdio }, { createSdkServer: protocol }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./kit/sdk-server.ts'),
  ]);
  const { onerror } = transport;
  const create = (): Server => createServer({ protocol }) as unknown as Server;
  connections.push(serveStdio(create, { transport, ...(onerror && { onerror }) }));
}

/** Whether the message is an `initialize` without the protocol keys of the 2026 envelope. */
function isPlainInitialize(message: JSONRPCMessage): boolean {
  if (!('method' in message) || !('id' in message) || message.method !== 'initialize') return false;
  const { _meta: meta } = message.params ?? {};
  return !isFields(meta) || !Object.keys(meta).some((key) => key.startsWith('io.modelcontextprotocol/'));
}
