import { fieldsOf } from '../../base/fields.ts';
/** A method with any signature, generic ones included. */
type AnyMethod = (...args: never) => unknown;

/** The part of an SDK v1 or v2 `Server` that is used here. */
export interface ProtocolServer {
  readonly connect: AnyMethod;
  readonly setRequestHandler: AnyMethod;
  readonly request: AnyMethod;
  readonly registerCapabilities: AnyMethod;
  readonly getClientCapabilities: AnyMethod;
  readonly getClientVersion: AnyMethod;
}

/** A `Server`, or the `McpServer` around one. */
export type AttachableServer = ProtocolServer | { readonly server: ProtocolServer };

/** The part of a transport that is used here. */
export interface WireTransport {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  readonly sessionId?: string | undefined;
}

/** A transport that a server can connect to; it is started after its callbacks are set. */
export interface StartableTransport extends WireTransport {
  start: () => Promise<void>;
}

/** SDK v1 and v2 pass the request; v2 may pass its parameters only. */
export type RequestHandler = (first: unknown, context: unknown) => unknown;

export interface WireRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface SendOptions {
  readonly timeout: number;
}

/** The same server with the signatures that both SDKs have at run time. */
export interface LowServer {
  connect(transport: StartableTransport): Promise<void>;
  setRequestHandler(method: unknown, ...rest: unknown[]): unknown;
  request(request: WireRequest, schema: unknown, options: SendOptions): Promise<unknown>;
  registerCapabilities(capabilities: Readonly<Record<string, unknown>>): void;
  getClientCapabilities(): unknown;
  getClientVersion(): unknown;
  /** SDK v2 only. */
  getNegotiatedProtocolVersion?(): string | undefined;
  assertCanSetRequestHandler?(method: string): void;
  /** Set while the server is connected. */
  readonly transport?: WireTransport | undefined;
}

/** The inner protocol server of either kind. */
export function lowServerOf(server: AttachableServer): LowServer {
  const low: unknown = 'server' in server ? server.server : server;
  return low as LowServer;
}

/** The keys of the metadata by which a client of 2026-07-28 introduces itself in every request. */
export const envelopeKeys = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

/** The revisions that begin with `initialize`, the newest first. */
export const sessionRevisions: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/** Revisions are dates, so they compare as text. */
const firstModern = '2026-07-28';

/**
 * Whether this connection has no requests to the client. Only the server instance knows: any request can contain
 * the keys of the new envelope.
 */
export function isModern(server: LowServer): boolean {
  return (server.getNegotiatedProtocolVersion?.() ?? '') >= firstModern;
}

/** The first revision with structured content and output schemas. */
const firstStructured = '2025-06-18';

/**
 * Whether the client's revision has structured content. SDK v1 does not tell the revision; the one that the client
 * asked for counts there, if it is known.
 */
export function takesStructured(server: LowServer, asked?: unknown): boolean {
  const revision = server.getNegotiatedProtocolVersion?.() ?? asked;
  return typeof revision !== 'string' || revision >= firstStructured;
}

/**
 * A schema that both SDKs accept and that passes everything: SDK v1 takes it for a Zod schema, v2 for a Standard
 * Schema. The SDK's own schema would reject a whole list because of one bad entry.
 */
export const passSchema = {
  parse: (value: unknown): unknown => value,
  safeParse: (value: unknown): { success: true; data: unknown } => ({ success: true, data: value }),
  '~standard': {
    version: 1,
    vendor: 'rootward',
    validate: (value: unknown): { value: unknown } => ({ value }),
  },
} as const;

/** The same for registering a handler: SDK v1 reads the method from it, v2 takes the method itself. */
export function methodSchema(method: string): unknown {
  return { ...passSchema, shape: { method: { value: method } } };
}

/** The method of a registered handler, in the form of either SDK. */
export function methodOf(schema: unknown): string | undefined {
  if (typeof schema === 'string') return schema;
  const literal = fieldsOf(fieldsOf(schema)['shape'] ?? fieldsOf(fieldsOf(schema)['def'])['shape'])['method'];
  const value = fieldsOf(literal)['value'] ?? fieldsOf(fieldsOf(literal)['_def'])['value'];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Replaces a method of a server; `make` receives the previous one. Returns a function that restores it, unless
 * another override was installed on top.
 */
export function overrideMethod<Name extends 'connect' | 'setRequestHandler'>(
  server: LowServer,
  name: Name,
  make: (before: LowServer[Name]) => LowServer[Name],
): () => void {
  const own = Object.getOwnPropertyDescriptor(server, name);
  const method = make(server[name].bind(server) as LowServer[Name]);
  server[name] = method;
  return () => {
    if (server[name] !== method) return;
    if (own === undefined) Reflect.deleteProperty(server, name);
    else Object.defineProperty(server, name, own);
  };
}
