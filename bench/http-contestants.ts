import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { listen } from '../src/http/listen.ts';
import { openRedisStore } from '../src/sessions/redis/redis-store.ts';

/** Ours, and the SDK as its documents show it: with sessions (answering by JSON or by a stream), and for 2026-07-28. */
export type ContestantName = 'ours' | 'ours-on-redis' | 'sdk-sessions' | 'sdk-sessions-json' | 'sdk-modern';

export const benchToken = 'a-token-that-is-long-enough-to-be-one';

/** Serves a trivial tool and an unchecked read in a process of its own, and tells its parent the port, its CPU and its heap. */
export async function serveContestant(name: ContestantName): Promise<void> {
  const port = await start(name);
  process.on('message', (asked) => {
    if (asked === 'heap') for (let round = 0; round < 6; round += 1) globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system, heap: process.memoryUsage().heapUsed });
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ port });
}

/** Schemas are made once, for all servers. */
const inputSchema = z.object({ a: z.string() });
const pathSchema = z.object({ path: z.string() });

function newServer(): McpServer {
  const supportedProtocolVersions = [...SUPPORTED_PROTOCOL_VERSIONS, '2026-07-28'];
  const server = new McpServer({ name: 'bench', version: '1' }, { supportedProtocolVersions });
  server.registerTool('echo', { inputSchema }, ({ a }) => ({ content: [{ type: 'text', text: a }] }));
  server.registerTool('read_text_file', { inputSchema: pathSchema }, async ({ path }) => ({
    content: [{ type: 'text', text: await readFile(path, 'utf8') }],
  }));
  return server;
}

async function start(name: ContestantName): Promise<number> {
  switch (name) {
    case 'ours': {
      const limits = { sessionsPerSecond: 1e6, sessionBurst: 1e6, calls: 10_000 };
      return (await listen({ createServer: newServer, tokens: [{ token: benchToken }], limits })).port;
    }
    case 'ours-on-redis': {
      const address = process.env['BENCH_REDIS'] ?? '';
      const sessions = await openRedisStore({ address, secrets: [Buffer.alloc(32, 1)] });
      const limits = { sessionsPerSecond: 1e6, sessionBurst: 1e6, calls: 10_000 };
      return (await listen({ createServer: newServer, tokens: [{ token: benchToken }], limits, sessions }))
        .port;
    }
    case 'sdk-sessions':
      return bind(sdkSessions({}));
    case 'sdk-sessions-json':
      return bind(sdkSessions({ enableJsonResponse: true }));
    case 'sdk-modern':
      return bind(toNodeHandler(createMcpHandler(newServer, { legacy: 'reject' })) as RequestListener);
  }
}

function bind(listener: RequestListener): Promise<number> {
  return new Promise((resolve) => {
    // Clients take turns: none may lose its connection while it waits.
    const server = createServer({ keepAliveTimeout: 120_000 }, listener).listen(0, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** A server and a transport for each session, kept for as long as it lasts. */
function sdkSessions(answering: { readonly enableJsonResponse?: boolean }): RequestListener {
  const transports = new Map<string, NodeStreamableHTTPServerTransport>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    let transport = transports.get(String(id));
    if (transport === undefined) {
      const fresh = new NodeStreamableHTTPServerTransport({
        ...answering,
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (session) => void transports.set(session, fresh),
      });
      transport = fresh;
      await newServer().connect(transport);
    }
    await transport.handleRequest(request, response);
  };
  return (request, response) => void serve(request, response);
}
