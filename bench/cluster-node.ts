import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { HttpConnection } from '../src/http/exchange/server-like.ts';
import { listen } from '../src/http/listen.ts';
import { parseRoots } from '../src/path/root.ts';
import type { SessionStore } from '../src/sessions/record/session-store.ts';
import { openRedisStore } from '../src/sessions/redis/redis-store.ts';
import { benchToken } from './http-contestants.ts';

/** What a node is asked by the one who measures. */
export interface NodeQuestion {
  /** Sessions with roots that it begins first. */
  readonly begin: number;
}

/** A real node in a process of its own: its sessions are in Redis, its tool asks for roots and keeps them. */
export async function serveNode(): Promise<void> {
  const address = process.env['BENCH_REDIS'] ?? '';
  // Heartbeats would be counted as commands of a call.
  const store = await openRedisStore({ address, secrets: [Buffer.alloc(32, 1)], lease: 3_600_000 });
  const tokens = [{ token: benchToken, principal: 'me' }];
  const { port } = await listen({ createServer, tokens, sessions: store });
  process.on('message', (question) => void answer(store, question as NodeQuestion));
  process.on('disconnect', () => process.exit());
  process.send?.({ port });
}

const inputSchema = z.object({});
const { roots } = parseRoots(
  [
    { uri: 'file:///srv/app', name: 'app' },
    { uri: 'file:///srv/docs', name: 'docs' },
  ],
  { platform: 'posix' },
);

function createServer({ memory }: HttpConnection): McpServer {
  const server = new McpServer({ name: 'bench', version: '1' });
  server.registerTool('roots', { inputSchema }, async (_args, ctx) => {
    const { generation } = memory.current();
    await ctx.mcpReq.send({ method: 'roots/list' });
    await memory.keepAnswer(generation, { state: 'listed', roots });
    return { content: [{ type: 'text', text: 'pong' }] };
  });
  return server;
}

async function answer(store: SessionStore, { begin }: NodeQuestion): Promise<void> {
  let last = '';
  for (let begun = 0; begun < begin; begun += 250) {
    const ids = await Promise.all(Array.from({ length: 250 }, () => beginOne(store)));
    last = ids.at(-1) ?? last;
  }
  for (let round = 0; round < 6; round += 1) globalThis.gc?.();
  process.send?.({ heap: process.memoryUsage().heapUsed, last });
}

async function beginOne(store: SessionStore): Promise<string> {
  const id = randomUUID();
  const clientInfo = { name: 'bench', title: 'A client that is measured', version: '1.0.0' };
  const capabilities = { roots: { listChanged: true }, elicitation: {} };
  const initialize = { protocolVersion: '2025-11-25', clientInfo, capabilities };
  const record = await store.create({ id, principal: 'me', protocolVersion: '2025-11-25', initialize });
  await store.keepAnswer(id, record?.generation ?? 0, { state: 'listed', roots });
  return id;
}
