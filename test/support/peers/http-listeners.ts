import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse';
import type { AttachOptions } from '../../../src/server/index.ts';
import { buildV2 } from './fixtures/build-v2.ts';
import type { Counters } from './fixtures/counters.ts';
import { type Listener, sessionListener } from './http-sessions.ts';

export interface ListenerOptions {
  readonly options?: AttachOptions;
  readonly counters?: Counters;
}

/** SDK v2 without sessions: a server for each request, in both eras. */
export function statelessListener(parts: ListenerOptions): Listener {
  return toNodeHandler(createMcpHandler(() => buildV2(parts).server, { legacy: 'stateless' })) as Listener;
}

/** Both eras on one URL: sessions for the older one, a server for each request for the new one. */
export function bothErasListener(parts: ListenerOptions): Listener {
  const modern = toNodeHandler(
    createMcpHandler(() => buildV2(parts).server, { legacy: 'reject' }),
  ) as Listener;
  const sessions = sessionListener({ sdk: 'v2', ...(parts.options && { options: parts.options }) });
  return async (request, response) => {
    const body = request.method === 'POST' ? await json(request) : undefined;
    const older = await isLegacyRequest(webRequest(request), body);
    return older ? sessions(request, response, body) : modern(request, response, body);
  };
}

function webRequest({ method = 'GET', headers }: IncomingMessage): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  return new Request('http://127.0.0.1/mcp', { method, headers: pairs });
}

/** The transport of 2024-11-05: a stream, and a place to post to. */
export function sseListener({ options = {} }: ListenerOptions): Listener {
  const sessions = new Map<string, SSEServerTransport>();
  return async (request, response) => {
    if (request.method === 'POST') {
      const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      return sessions.get(searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
    }
    const transport = new SSEServerTransport('/messages', response);
    sessions.set(transport.sessionId, transport);
    return buildV2({ options }).server.connect(transport);
  };
}
