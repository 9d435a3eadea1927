import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport as TransportV1 } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { NodeStreamableHTTPServerTransport as TransportV2 } from '@modelcontextprotocol/node';
import { StreamableHTTPServerTransport as Transport12 } from 'sdk-1.12/server/streamableHttp.js';
import type { AttachOptions } from '../../../src/server/index.ts';
import type { SdkName } from './fixtures/build-parts.ts';
import { build12 } from './fixtures/build-12.ts';
import { buildV1 } from './fixtures/build-v1.ts';
import { buildV2 } from './fixtures/build-v2.ts';

/** An HTTP server on loopback, until it is disposed of. */
export interface Endpoint extends AsyncDisposable {
  readonly url: URL;
}

/** `body` if it was read already. */
export type Listener = (request: IncomingMessage, response: ServerResponse, body?: unknown) => unknown;

export async function listen(listener: Listener): Promise<Endpoint> {
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), [Symbol.asyncDispose]: async () => stop(server) };
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

export interface SessionsOptions {
  readonly sdk: SdkName;
  /** Answers in JSON instead of a stream. */
  readonly json?: boolean;
  /** Whether a client gets a stream of its own; 405 if not. */
  readonly get?: boolean;
  readonly options?: AttachOptions;
}

interface SessionTransport {
  readonly sessionId?: string | undefined;
  handleRequest(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
}

/** The usual server with sessions: one transport and one server for each. */
export function sessionListener(parts: SessionsOptions): Listener {
  const { get = true } = parts;
  const sessions = new Map<string, SessionTransport>();
  return async (request, response, body) => {
    if (request.method === 'GET' && !get) return response.writeHead(405).end();
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const keep = (id: string): void => void sessions.set(id, transport);
    const transport = known ?? (await openSession(parts, keep));
    return transport.handleRequest(request, response, body);
  };
}

async function openSession(parts: SessionsOptions, keep: (id: string) => void): Promise<SessionTransport> {
  const { sdk, json = false, options = {} } = parts;
  const settings = {
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: keep,
    enableJsonResponse: json,
  };
  switch (sdk) {
    case 'v2': {
      const transport = new TransportV2(settings);
      await buildV2({ options }).server.connect(transport);
      return transport;
    }
    case 'v1': {
      const transport = new TransportV1(settings);
      await buildV1({ options }).server.connect(transport);
      return transport;
    }
    case 'v1.12': {
      const transport = new Transport12(settings);
      await build12({ options }).server.connect(transport as Parameters<Server12Connect>[0]);
      return transport;
    }
  }
}

type Server12Connect = ReturnType<typeof build12>['server']['connect'];
