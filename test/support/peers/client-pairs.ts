import { Client as ClientV2, InMemoryTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as TransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputRequired, inputResponse, McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Client as ClientV112 } from 'sdk-1.12/client/index.js';
import { InMemoryTransport as TransportV112 } from 'sdk-1.12/inMemory.js';
import { McpServer as ServerV112 } from 'sdk-1.12/server/mcp.js';
import type { RootsClient } from '../../../src/client/expose/client-peer.ts';

/** What a server learned when it asked for roots. */
export type Asked =
  | { readonly roots: readonly { uri: string; name?: string; _meta?: Record<string, unknown> }[] }
  | { readonly code: number | string; readonly message: string; readonly data?: unknown };

/** A real client and a real server, not connected yet: roots are declared before. */
export interface Pair {
  readonly client: RootsClient & { close(): Promise<void> };
  connect(): Promise<void>;
  /** Has the server ask for roots, as a tool of it would. */
  ask(timeout?: number): Promise<Asked>;
  /** How often the server heard that the list has changed. */
  changes(): number;
}

/** Resolves when the server has heard so often that the list has changed. */
export async function heard(pair: Pair, count: number): Promise<void> {
  while (pair.changes() < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

const info = { name: 'test', version: '1.0.0' };

function toAsked(error: unknown): Asked {
  const { code, message, data } = error as { code: number; message: string; data?: unknown };
  return { code, message, ...(data === undefined ? {} : { data }) };
}

const pass = {
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
};

function legacyPair(
  client: { connect(transport: never): Promise<void>; close(): Promise<void> },
  server: LegacyServer,
  ends: readonly [unknown, unknown],
): Pair {
  let count = 0;
  const hear = (): void => {
    count += 1;
  };
  server.hear(hear);
  return {
    client: client as unknown as Pair['client'],
    async connect() {
      await Promise.all([server.connect(ends[1]), client.connect(ends[0] as never)]);
    },
    ask: (timeout = 5_000) => server.ask(timeout).catch(toAsked),
    changes: () => count,
  };
}

interface LegacyServer {
  connect(transport: unknown): Promise<void>;
  hear(listener: () => void): void;
  ask(timeout: number): Promise<Asked>;
}

function legacyServer(mcp: ServerV1 | ServerV112 | ServerV2): LegacyServer {
  const server = mcp.server as unknown as {
    setNotificationHandler(method: unknown, listener: () => void): void;
    request(request: unknown, schema: unknown, options: unknown): Promise<Asked>;
  };
  const changed = 'notifications/roots/list_changed';
  const isV2 = mcp instanceof ServerV2;
  return {
    connect: (transport) => mcp.connect(transport as never),
    hear: (listener) =>
      server.setNotificationHandler(
        isV2 ? changed : { ...pass, shape: { method: { value: changed } } },
        listener,
      ),
    ask: (timeout) =>
      server.request({ method: 'roots/list' }, { ...pass, '~standard': standard }, { timeout }),
  };
}

const standard = { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) };

export const pairs: Readonly<Record<string, () => Pair>> = {
  'SDK v1': () =>
    legacyPair(new ClientV1(info), legacyServer(new ServerV1(info)), TransportV1.createLinkedPair()),
  'SDK 1.12': () =>
    legacyPair(new ClientV112(info), legacyServer(new ServerV112(info)), TransportV112.createLinkedPair()),
  'SDK v2, 2025': () =>
    legacyPair(new ClientV2(info), legacyServer(new ServerV2(info)), TransportV2.createLinkedPair()),
  'SDK v1 client and v2 server': () =>
    legacyPair(new ClientV1(info), legacyServer(new ServerV2(info)), TransportV1.createLinkedPair()),
  'SDK v2, 2026': modernPair,
};

/** A client that can be connected again and again, each time to another server. */
export interface Reconnecting {
  readonly client: Pair['client'];
  /** Gives what asks for roots as the server of this connection. */
  readonly connect: () => Promise<() => Promise<readonly unknown[]>>;
}

export const reconnecting: Readonly<Record<string, () => Reconnecting>> = {
  'SDK v1': () =>
    again(
      new ClientV1(info),
      () => new ServerV1(info),
      () => TransportV1.createLinkedPair(),
    ),
  'SDK 1.12': () =>
    again(
      new ClientV112(info),
      () => new ServerV112(info),
      () => TransportV112.createLinkedPair(),
    ),
  'SDK v2': () =>
    again(
      new ClientV2(info),
      () => new ServerV2(info),
      () => TransportV2.createLinkedPair(),
    ),
};

function again(
  client: { connect(transport: never): Promise<void>; close(): Promise<void> },
  createServer: () => ServerV1 | ServerV112 | ServerV2,
  createEnds: () => readonly [unknown, unknown],
): Reconnecting {
  return {
    client: client as unknown as Pair['client'],
    async connect() {
      const server = legacyServer(createServer());
      const pair = legacyPair(client, server, createEnds());
      await pair.connect();
      return async () => {
        const asked = await pair.ask();
        if ('code' in asked) throw new Error(asked.message);
        return asked.roots;
      };
    },
  };
}

/** No request by the server: a tool says that it needs roots, and the client calls it again with them. */
function modernPair(): Pair {
  const client = new ClientV2(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const [clientEnd, serverEnd] = TransportV2.createLinkedPair();
  return {
    client,
    async connect() {
      serveStdio(() => modernServer(), { transport: serverEnd });
      await client.connect(clientEnd);
    },
    async ask() {
      try {
        const { content } = (await client.callTool({ name: 'roots' })) as { content: { text: string }[] };
        return JSON.parse(content[0]?.text ?? '') as Asked;
      } catch (error) {
        return toAsked(error);
      }
    },
    changes: () => 0,
  };
}

function modernServer(): ServerV2 {
  const server = new ServerV2(info);
  server.registerTool('roots', {}, async (ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'roots');
    if (answer.kind === 'missing')
      return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
    const roots = answer.kind === 'roots' ? answer.roots : [];
    return { content: [{ type: 'text', text: JSON.stringify({ roots }) }] };
  });
  return server;
}
