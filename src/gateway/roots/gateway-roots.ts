import { fieldsOf } from '../../base/fields.ts';
import { mendInitialize } from '../../http/exchange/mend-initialize.ts';
import { isInside } from '../../path/inside.ts';
import type { Root } from '../../path/root.ts';
import { attach } from '../../server/attach.ts';
import type { ProtocolServer, StartableTransport, WireRequest } from '../../server/sdk/protocol-server.ts';
import type { AttachOptions } from '../../server/settings/attach-options.ts';
import type { PathCheck } from '../../server/settings/path-check.ts';
import type { ListedRoot } from '../eras/step.ts';
import { firstWithout, lastWithHandshake } from '../eras/methods.ts';
import { readFrame, replaceField, valueIn, type WireFrame } from '../relay/wire-frame.ts';

/** The roots of one connection of the gateway. */
export interface GatewayRoots {
  /** The places that count now. A client that declared roots is asked if its answer is not known. */
  current(): Promise<GatewayPlaces>;
  /** Notes a message of the client on which the roots may depend. */
  heard(message: { readonly method: string; readonly params?: unknown }): void;
  /** Whether a file may be read. */
  check(path: string): Promise<PathCheck>;
  close(): Promise<void>;
}

/** The roots that a server is told. */
export interface GatewayPlaces {
  readonly roots: readonly Root[];
  /** The root that holds the project, or else the first one; absent if there is none. */
  readonly primary: Root | undefined;
}

/** Sends a request to the client. */
export type AskClientFor = (request: WireRequest) => Promise<unknown>;

/**
 * Finds the roots with the same code as `attach`, by playing the part of a server towards the client: the same
 * order of sources, the same merge of operator and client, the same patience.
 */
export function openGatewayRoots(ask: AskClientFor, options: AttachOptions): GatewayRoots {
  const transport: StartableTransport = { start: async () => undefined };
  const server = standIn(ask);
  const rootward = attach(server, { ...options, eager: true });
  // Nothing in it waits.
  void server.connect(transport);
  return {
    async current() {
      const roots = await rootward.roots();
      const { location } = (await rootward.workspace().catch(() => undefined))?.project ?? {};
      const primary = location === undefined ? undefined : roots.find(({ path }) => isInside(path, location));
      return { roots, primary: primary ?? roots[0] };
    },
    heard: (message) => transport.onmessage?.(message),
    check: (path) => rootward.check(undefined, { operation: 'read', path }),
    async close() {
      transport.onclose?.();
      await rootward.close();
    },
  };
}

interface ServerStandIn extends ProtocolServer {
  readonly connect: (transport: StartableTransport) => Promise<void>;
}

/** A server without handlers: only its questions leave. */
function standIn(ask: AskClientFor): ServerStandIn {
  return {
    connect: (transport) => transport.start(),
    request: (request: WireRequest) => ask(request),
    setRequestHandler: () => undefined,
    registerCapabilities: () => undefined,
    getClientCapabilities: () => undefined,
    getClientVersion: () => undefined,
  };
}

/**
 * The bytes of an `initialize` that declares roots with changes, because the gateway answers for them, whatever the
 * client declares. Known mistakes of clients are repaired; a message that needs no change keeps its bytes.
 */
export function declareRoots(frame: WireFrame): WireFrame {
  const { params: given, repairs } = mendInitialize(valueIn(frame, 'params'));
  // That revision has no `initialize`; a client that asks for it so knows the one before as well.
  const isNewer = given['protocolVersion'] === firstWithout;
  const params = isNewer ? { ...given, protocolVersion: lastWithHandshake } : given;
  const { capabilities } = params;
  const { roots } = fieldsOf(capabilities);
  if (repairs.length === 0 && !isNewer && fieldsOf(roots)['listChanged'] === true) return frame;
  const declared = { ...fieldsOf(capabilities), roots: { ...fieldsOf(roots), listChanged: true } };
  return readFrame(replaceField(frame, 'params', { ...params, capabilities: declared })) ?? frame;
}

/** The answer to `roots/list`. */
export function rootsListOf({ roots }: GatewayPlaces): { readonly roots: readonly ListedRoot[] } {
  return { roots: roots.map(({ uri, name }) => ({ uri, name })) };
}
