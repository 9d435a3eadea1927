import { type Fields, fieldsOf } from '../../base/fields.ts';
import type { ClientIdentity } from '../../workspace/sources/root-source.ts';
import { type RequestFacts } from '../sdk/call-context.ts';
import { isModern, type LowServer, passSchema, type WireTransport } from '../sdk/protocol-server.ts';
import type { ClientRoute } from './ask-client.ts';
import type { ConnectionMemory } from './connection-memory.ts';

/** One attached peer: what it is, what it can do, and how to reach it. */
export interface Connection {
  readonly memory: ConnectionMemory;
  readonly modern: boolean;
  readonly overHttp: boolean;
  readonly sessionId: string | undefined;
  /** What the client declared, in `initialize` or with this request. Empty where it said nothing. */
  capabilities(incoming?: RequestFacts): Fields;
  client(incoming?: RequestFacts): ClientIdentity | undefined;
  /** How a request can reach the client from within a call, the surest way first; none where it cannot. */
  ways(incoming?: RequestFacts): readonly ClientRoute[];
  /** Nobody is there any more: a server may have another client by now, and it is not to be asked instead. */
  end(): void;
  /** A request came over HTTP, whatever the transport looks like: from now on it is known. */
  sawHttp(): void;
  /** A session of which nothing is remembered: what it was granted and what it took back are unknown. */
  readonly isForgotten: boolean;
  /** How often the client announced a change on this connection. */
  readonly changes: number;
  /** The client announced a change that its memory does not know of so far. */
  readonly isOutdated: boolean;
  invalidate(): void;
  /** The client was asked since. */
  caughtUp(): void;
}

export interface ConnectionParts {
  readonly server: LowServer;
  readonly transport: WireTransport;
  readonly memory: () => ConnectionMemory;
  /** Somebody said that it is; otherwise the transport tells. */
  readonly overHttp: boolean;
}

export function createConnection({ server, transport, memory, overHttp }: ConnectionParts): Connection {
  const declared = (): Fields => fieldsOf(memory().current().initialize);
  const modern = createModern(server);
  let ended = false;
  let http = overHttp || takesRequests(transport);
  const state = { outdated: false, changes: 0 };
  const unrelated: ClientRoute = async (request, options) => server.request(request, passSchema, options);
  return {
    get memory() {
      return memory();
    },
    get modern() {
      return modern();
    },
    get overHttp() {
      return http || transport.sessionId !== undefined;
    },
    get sessionId() {
      return transport.sessionId;
    },
    capabilities: (incoming) =>
      modern()
        ? fieldsOf(incoming?.envelope['io.modelcontextprotocol/clientCapabilities'])
        : fieldsOf(declared()['capabilities'] ?? server.getClientCapabilities()),
    client: (incoming) =>
      // The keys of the new envelope can appear in any request; they count where it is spoken.
      (modern() ? identityOf(incoming?.envelope['io.modelcontextprotocol/clientInfo']) : undefined) ??
      identityOf(declared()['clientInfo']) ??
      identityOf(server.getClientVersion()),
    ways(incoming) {
      if (ended || modern()) return [];
      if (incoming?.send === undefined) return [unrelated];
      // On HTTP a request that belongs to a call travels on its stream; a server that answers in JSON has none.
      return http || transport.sessionId !== undefined ? [incoming.send, unrelated] : [incoming.send];
    },
    sawHttp() {
      http = true;
    },
    get isForgotten() {
      const { initialize } = memory().current();
      return (
        transport.sessionId !== undefined &&
        !modern() &&
        initialize === undefined &&
        server.getClientCapabilities() === undefined
      );
    },
    get changes() {
      return state.changes;
    },
    get isOutdated() {
      return state.outdated;
    },
    invalidate() {
      state.changes += 1;
      state.outdated = true;
      const kept = (): void => void (state.outdated = false);
      // Where it cannot be kept, it still holds for this connection, until another answer came.
      Promise.resolve(memory().invalidate()).then(kept, () => undefined);
    },
    caughtUp() {
      state.outdated = false;
    },
    end() {
      ended = true;
    },
  };
}

/** Every call asks several times, and the revision is settled once per connection. */
function createModern(server: LowServer): () => boolean {
  let version: string | undefined;
  let modern = false;
  return () => {
    const now = server.getNegotiatedProtocolVersion?.();
    if (now !== version) modern = isModern(server);
    version = now;
    return modern;
  };
}

/** By which requests come into a transport from outside. */
const httpMethods = ['handleRequest', 'handleMessage', 'handlePostMessage'] as const;

/** Transports for HTTP get their requests from outside, or have sessions. */
function takesRequests(transport: WireTransport): boolean {
  return httpMethods.some((method) => method in transport);
}

function identityOf(value: unknown): ClientIdentity | undefined {
  const { name, version } = fieldsOf(value);
  if (typeof name !== 'string') return undefined;
  return typeof version === 'string' ? { name, version } : { name };
}
