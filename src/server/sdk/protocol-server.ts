import { fieldsOf } from '../../base/fields.ts';
/** Accepts a method of any signature, generic ones too. */
type AnyMethod = (...args: never) => unknown;

/** A `Server` of SDK v1 or v2, as far as it is used. */
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

/** A transport of either SDK, as far as it is used. */
export interface WireTransport {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  readonly sessionId?: string | undefined;
}

/** One that a server can be connected to: it is started once its callbacks are set. */
export interface StartableTransport extends WireTransport {
  start: () => Promise<void>;
}

/** SDK v1 and v2 hand on the request; v2 also its bare parameters. */
export type RequestHandler = (first: unknown, context: unknown) => unknown;

export interface WireRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface SendOptions {
  readonly timeout: number;
}

/** The same server, with the signatures that both SDKs share at run time. */
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
}

/** The server that speaks the protocol, whichever of the two was given. */
export function lowServerOf(server: AttachableServer): LowServer {
  const low: unknown = 'server' in server ? server.server : server;
  return low as LowServer;
}

/** Revisions are dates, so that they compare as text. */
const firstModern = '2026-07-28';

/**
 * Whether the connection of this server has no requests to the client. It is the instance that knows: keys of
 * the new envelope can appear in any request.
 */
export function isModern(server: LowServer): boolean {
  return (server.getNegotiatedProtocolVersion?.() ?? '') >= firstModern;
}

/**
 * A schema that both SDKs accept and that lets everything through: SDK v1 takes it for a Zod schema, v2 for a
 * Standard Schema. The schema of the SDK would throw a whole list away for one bad entry.
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

/** The same, for registering a handler: SDK v1 reads the method from it, v2 wants the method itself. */
export function methodSchema(method: string): unknown {
  return { ...passSchema, shape: { method: { value: method } } };
}

/** The method that a handler is registered for, in the form of either SDK. */
export function methodOf(schema: unknown): string | undefined {
  if (typeof schema === 'string') return schema;
  const literal = fieldsOf(fieldsOf(schema)['shape'] ?? fieldsOf(fieldsOf(schema)['def'])['shape'])['method'];
  const value = fieldsOf(literal)['value'] ?? fieldsOf(fieldsOf(literal)['_def'])['value'];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Puts a method in the place of another one of the same server; `make` gets the one that was there. Returns what
 * puts it back, unless somebody else came after: theirs is built on ours.
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
