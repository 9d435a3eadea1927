import { randomUUID } from 'node:crypto';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { AttachOptions, ConnectionStore } from '../../../src/server/index.ts';
import { buildV2 } from './fixtures/build-v2.ts';
import type { Listener } from './http-sessions.ts';

export interface PerRequestOptions {
  readonly store: ConnectionStore;
  readonly options?: AttachOptions;
  /** Hears of each server that is built. */
  readonly built?: () => void;
}

/**
 * Sessions without anything that is kept for them but the store: each request gets a server and a transport of
 * its own. What a client answers is handed to the request that waits for it.
 */
export function perRequestListener({ store, options, built }: PerRequestOptions): Listener {
  const waiting = new Map<string, Set<WebStandardStreamableHTTPServerTransport>>();
  const respond = async (request: Request): Promise<Response> => {
    const sessionId = request.headers.get('mcp-session-id') ?? randomUUID();
    if (request.method === 'DELETE') store.forget(sessionId);
    if (request.method !== 'POST') return new Response(undefined, { status: 405 });
    const message = (await request.clone().json()) as { method?: string };
    const others = waiting.get(sessionId) ?? new Set();
    if (message.method === undefined) {
      for (const transport of others) transport.onmessage?.(message as never);
      return new Response(undefined, { status: 202 });
    }
    built?.();
    const transport = new WebStandardStreamableHTTPServerTransport(
      message.method === 'initialize' ? { sessionIdGenerator: () => sessionId } : {},
    );
    if (message.method !== 'initialize') transport.sessionId = sessionId;
    waiting.set(sessionId, others.add(transport));
    await buildV2({ options: { ...options, memory: store.memory } }).server.connect(transport);
    return transport.handleRequest(request);
  };
  return toNodeHandler({ fetch: respond }) as Listener;
}
