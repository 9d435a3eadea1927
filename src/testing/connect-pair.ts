import { asksIn } from './raw-peer.ts';
import { linkWires, type Wire, type WireRecord } from './wires.ts';

/** A method with any signature, generic ones included. */
type AnyMethod = (...args: never) => unknown;

/** The part of an SDK v1 or v2 server or client that is used here. */
export interface Connectable {
  readonly connect: AnyMethod;
  readonly close: AnyMethod;
}

/** An existing server and a client. They speak a revision before 2026-07-28. */
export interface PairParts {
  readonly server: Connectable;
  readonly client: Connectable;
}

/** A function that builds the server once the client has chosen its revision, as SDK v2 does. */
export interface ServedPairParts {
  /** `serveStdio` from `@modelcontextprotocol/server/stdio`. */
  readonly serveStdio: AnyMethod;
  readonly server: AnyMethod;
  readonly client: Connectable;
}

/** A connected server and client. */
export interface Pair extends AsyncDisposable {
  /** Every message on the wire, in order. */
  readonly records: readonly WireRecord[];
  /** How often the server asked the client, by a request or by `input_required`. Counts `roots/list` by default. */
  asks(method?: string): number;
  close(): Promise<void>;
}

/**
 * Connects a real client to a real server in memory, with SDK v1 or v2 on either side. Pass a server for
 * revisions up to 2025-11-25. Pass a function that builds one, with `serveStdio`, if the client may choose
 * 2026-07-28. Imports no SDK: it uses the one you have.
 *
 * @example
 * ```ts
 * import { McpServer } from '@modelcontextprotocol/server';
 * import { Client } from '@modelcontextprotocol/client';
 * import { attach } from 'rootward/server';
 *
 * const server = new McpServer({ name: 'demo', version: '1.0.0' });
 * const rootward = attach(server);
 * server.registerTool('roots', {}, async (ctx) => {
 *   const roots = await rootward.roots(ctx);
 *   return { content: roots.map(({ name }) => ({ type: 'text', text: name })) };
 * });
 * const client = new Client({ name: 'me', version: '1.0.0' }, { capabilities: { roots: {} } });
 * client.setRequestHandler('roots/list', () => ({ roots: [{ uri: toFileUri(process.cwd()), name: 'app' }] }));
 *
 * const pair = await connectPair({ server, client });
 * (await client.callTool({ name: 'roots' })).content; // → [{ type: 'text', text: 'app' }]
 * (await client.callTool({ name: 'roots' })).content; // → [{ type: 'text', text: 'app' }]
 * pair.asks(); // → 1
 * await pair.close();
 * await rootward.close();
 * ```
 */
export async function connectPair(parts: PairParts | ServedPairParts): Promise<Pair> {
  const wires = linkWires();
  const stop = await startServer(parts, wires.server);
  await call(parts.client, 'connect', wires.client);
  const close = async (): Promise<void> => {
    await call(parts.client, 'close');
    await stop();
    await wires.server.close();
  };
  return {
    records: wires.records,
    asks: (method) => asksIn(wires.records, method),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function startServer(parts: PairParts | ServedPairParts, wire: Wire): Promise<() => Promise<unknown>> {
  if (!('serveStdio' in parts)) {
    await call(parts.server, 'connect', wire);
    return async () => call(parts.server, 'close');
  }
  const served: unknown = Reflect.apply(parts.serveStdio, undefined, [parts.server, { transport: wire }]);
  return async () => call(served, 'close');
}

async function call(target: unknown, method: string, ...args: readonly unknown[]): Promise<unknown> {
  const found = (target as Readonly<Record<string, unknown>>)[method];
  return typeof found === 'function' ? (Reflect.apply(found, target, args) as unknown) : undefined;
}
