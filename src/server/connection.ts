import type { ClientIdentity } from '../workspace/signals.ts';
import type { Way } from './ask-client.ts';
import { type Fields, fieldsOf, type Incoming } from './call-context.ts';
import type { ConnectionMemory } from './connection-memory.ts';
import { passSchema } from './pass-schema.ts';
import { isModern, type LowServer, type WireTransport } from './protocol-server.ts';

/** One attached peer: what it is, what it can do, and how to reach it. */
export interface Connection {
  readonly memory: ConnectionMemory;
  readonly modern: boolean;
  readonly overHttp: boolean;
  readonly sessionId: string | undefined;
  /** What the client declared, in `initialize` or with this request. Empty where it said nothing. */
  capabilities(incoming?: Incoming): Fields;
  client(incoming?: Incoming): ClientIdentity | undefined;
  /** How a request can reach the client from within a call, the surest way first; none where it cannot. */
  ways(incoming?: Incoming): readonly Way[];
  /** Nobody is there any more: a server may have another client by now, and it is not to be asked instead. */
  end(): void;
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
  let ended = false;
  const unrelated: Way = async (request, options) => server.request(request, passSchema, options);
  return {
    get memory() {
      return memory();
    },
    get modern() {
      return isModern(server);
    },
    get overHttp() {
      return overHttp || isHttp(transport);
    },
    get sessionId() {
      return transport.sessionId;
    },
    capabilities: (incoming) =>
      isModern(server)
        ? fieldsOf(incoming?.envelope['io.modelcontextprotocol/clientCapabilities'])
        : fieldsOf(declared()['capabilities'] ?? server.getClientCapabilities()),
    client: (incoming) =>
      identityOf(incoming?.envelope['io.modelcontextprotocol/clientInfo']) ??
      identityOf(declared()['clientInfo']) ??
      identityOf(server.getClientVersion()),
    ways(incoming) {
      if (ended || isModern(server)) return [];
      if (incoming?.send === undefined) return [unrelated];
      // On HTTP a request that belongs to a call travels on its stream; a server that answers in JSON has none.
      return overHttp || isHttp(transport) || incoming.overHttp
        ? [incoming.send, unrelated]
        : [incoming.send];
    },
    end() {
      ended = true;
    },
  };
}

/** Transports for HTTP get their requests from outside, or have sessions. */
function isHttp(transport: WireTransport): boolean {
  return (
    transport.sessionId !== undefined || 'handleRequest' in transport || 'handlePostMessage' in transport
  );
}

function identityOf(value: unknown): ClientIdentity | undefined {
  const { name, version } = fieldsOf(value);
  if (typeof name !== 'string') return undefined;
  return typeof version === 'string' ? { name, version } : { name };
}
