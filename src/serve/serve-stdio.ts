import { Writable } from 'node:stream';
import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server';
import { isFields } from '../base/fields.ts';
import type { Kit } from './kit/kit.ts';
import { LineTransport, MessageTooLong } from './line-transport.ts';
import type { ServeRecords } from './open-records.ts';
import type { StartSweep } from './sweep-at-start.ts';
import { untilEnded } from './until-ended.ts';

export interface StdinParts {
  readonly kit: Kit;
  readonly records: Pick<ServeRecords, 'log'>;
  /** Looks through the roots of each client. */
  readonly sweep?: Pick<StartSweep, 'follow'> | undefined;
}

/** Speaks MCP on stdin and stdout until one of them ends. Nothing else may write to stdout from here on. */
export async function serveStdin({ kit, records: { log }, sweep }: StdinParts): Promise<void> {
  const transport = new LineTransport(process.stdin, reserveStdout(process));
  transport.onerror = (error) => {
    log({ kind: 'wire', message: error.message });
    if (error instanceof MessageTooLong) process.stderr.write(`rootward: ${error.message}\n`);
  };
  const connections: Closable[] = [];
  const workspaces: Closable[] = [];
  const createServer = (): Server => {
    const { server, rootward } = kit.createServer();
    workspaces.push(rootward);
    sweep?.follow(rootward);
    return server;
  };
  const serving = serveFirst(transport, createServer, connections);
  await untilEnded(Promise.all([serving, transport.closed]));
  for (const part of [...connections, ...workspaces]) await part.close();
  await transport.close();
  await serving;
}

interface Closable {
  close(): Promise<void>;
}

/** A client of 2025 gets its server as it is; who may be of 2026 is left to the SDK, which tells them apart. */
async function serveFirst(
  transport: LineTransport,
  createServer: () => Server,
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
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { onerror } = transport;
  connections.push(serveStdio(createServer, { transport, ...(onerror && { onerror }) }));
}

/** Only the envelope of 2026 has anything to say about the protocol there. */
function isPlainInitialize(message: JSONRPCMessage): boolean {
  if (!('method' in message) || !('id' in message) || message.method !== 'initialize') return false;
  const { _meta: meta } = message.params ?? {};
  return !isFields(meta) || !Object.keys(meta).some((key) => key.startsWith('io.modelcontextprotocol/'));
}

/** What of a process is reserved. */
export interface ReservedStreams {
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
}

/**
 * Keeps stdout for whoever holds the result. A package that prints would spoil the protocol; what it prints
 * goes to stderr from here on. What another language writes to the descriptor cannot be caught.
 */
export function reserveStdout({ stdout, stderr }: ReservedStreams): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, done),
  });
}
