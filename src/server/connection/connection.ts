import { createHash, randomUUID } from 'node:crypto';
import type { AuditEntry } from '../../audit/entry.ts';
import { type Fields, fieldsOf } from '../../base/fields.ts';
import type { ClientIdentity } from '../../workspace/sources/root-source.ts';
import { type RequestFacts } from '../sdk/call-context.ts';
import {
  envelopeKeys,
  isModern,
  type LowServer,
  passSchema,
  takesStructured,
  type WireTransport,
} from '../sdk/protocol-server.ts';
import type { ClientRoute } from './ask-client.ts';
import type { ConnectionMemory } from './connection-memory.ts';

/** One connected client: its identity, its capabilities, and the routes to it. */
export interface Connection {
  readonly memory: ConnectionMemory;
  readonly modern: boolean;
  readonly overHttp: boolean;
  /** Whether the client's revision has structured content. */
  readonly takesStructured: boolean;
  readonly sessionId: string | undefined;
  /** Tells the connections of one client apart in records, without revealing the id of a session. */
  readonly sessionLabel: string | undefined;
  /** The capabilities declared in `initialize` or with this request; empty if there are none. */
  capabilities(incoming?: RequestFacts): Fields;
  client(incoming?: RequestFacts): ClientIdentity | undefined;
  /**
   * The routes on which a request can reach the client from within a call, most reliable first; none if it cannot.
   */
  ways(incoming?: RequestFacts): readonly ClientRoute[];
  /** Ends the connection, so that a later client of the same server is never asked in its place. */
  end(): void;
  /** Records that a request arrived over HTTP, whatever the transport looks like. */
  sawHttp(): void;
  /** Whether the session has no memory, so that its grants and revocations are unknown. */
  readonly isForgotten: boolean;
  /** How often the client announced a change on this connection. */
  readonly changes: number;
  /** Whether the client announced a change that its memory does not contain yet. */
  readonly isOutdated: boolean;
  invalidate(): void;
  /** Records that the client has been asked since then. */
  caughtUp(): void;
}

export interface ConnectionParts {
  readonly server: LowServer;
  readonly transport: WireTransport;
  readonly memory: () => ConnectionMemory;
  /** Set by the author; otherwise the transport tells. */
  readonly overHttp: boolean;
}

export function createConnection({ server, transport, memory, overHttp }: ConnectionParts): Connection {
  const declared = (): Fields => fieldsOf(memory().current().initialize);
  const modern = createModern(server);
  let ended = false;
  let label: { readonly of: string | undefined; readonly text: string } | undefined;
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
    get takesStructured() {
      return takesStructured(server, declared()['protocolVersion']);
    },
    get sessionId() {
      return transport.sessionId;
    },
    get sessionLabel() {
      const { sessionId } = transport;
      if (sessionId === undefined && http) return undefined;
      if (label === undefined || label.of !== sessionId)
        label = { of: sessionId, text: sessionLabelOf(sessionId ?? randomUUID()) };
      return label.text;
    },
    capabilities: (incoming) =>
      modern()
        ? fieldsOf(incoming?.envelope[envelopeKeys.capabilities])
        : fieldsOf(declared()['capabilities'] ?? server.getClientCapabilities()),
    client: (incoming) =>
      // Any request can contain the keys of the new envelope; they count only in a revision that has it.
      (modern() ? clientIdentity(incoming?.envelope[envelopeKeys.client]) : undefined) ??
      clientIdentity(declared()['clientInfo']) ??
      clientIdentity(server.getClientVersion()),
    ways(incoming) {
      if (ended || modern()) return [];
      if (incoming?.send === undefined) return [unrelated];
      // Over HTTP a request within a call travels on the call's stream, which a server that answers in JSON does not
      // have.
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
      // If storing fails, the change still counts on this connection until the next answer.
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

/** A session id opens a session, so records hold a hash of it. */
export function sessionLabelOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 12);
}

/** The fields of an audit entry about the client of a connection. */
export function originOf(
  connection: Pick<Connection, 'client' | 'sessionLabel'>,
  incoming?: RequestFacts,
): Pick<AuditEntry, 'caller' | 'client' | 'session'> {
  const identity = connection.client(incoming);
  const { sessionLabel: session } = connection;
  return {
    ...(identity && { caller: identity.name, client: [identity.name, identity.version].join(' ').trim() }),
    ...(session !== undefined && { session }),
  };
}

/** Caches the check, which every call makes several times; the revision is fixed per connection. */
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

/** The methods through which requests enter a transport from outside. */
const httpMethods = ['handleRequest', 'handleMessage', 'handlePostMessage'] as const;

/** Whether a transport is an HTTP one: it receives requests from outside or has sessions. */
function takesRequests(transport: WireTransport): boolean {
  return httpMethods.some((method) => method in transport);
}

/** Reads what a client says about itself. */
export function clientIdentity(value: unknown): ClientIdentity | undefined {
  const { name, version } = fieldsOf(value);
  if (typeof name !== 'string') return undefined;
  return typeof version === 'string' ? { name, version } : { name };
}
