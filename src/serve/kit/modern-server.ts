import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import type { CallContext } from '../../server/sdk/call-context.ts';
import {
  envelopeKeys,
  type RequestHandler,
  type StartableTransport,
} from '../../server/sdk/protocol-server.ts';
import {
  errorOf,
  faultCodes,
  type KitHandler,
  type KitServer,
  ProtocolFault,
  type ServerFacts,
} from './kit-server.ts';

const revision = '2026-07-28';

interface RequestTransport extends StartableTransport {
  send(message: Fields, options?: { readonly relatedRequestId?: unknown }): Promise<void>;
  close(): Promise<void>;
}

/**
 * Speaks 2026-07-28 for one HTTP request after another: what the SDK's `Server` does for the handlers of a ready
 * server, without its schemas, which take longer to check than a small file to read. The endpoint has checked the
 * form of the message and its envelope; the handlers check their parameters.
 */
export class ModernServer implements KitServer {
  readonly #identity: ServerFacts;
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #running = new Set<AbortController>();
  #transport: RequestTransport | undefined;

  constructor(identity: ServerFacts) {
    this.#identity = identity;
    const { capabilities, instructions } = identity;
    this.#handlers.set('server/discover', () => ({
      supportedVersions: [revision],
      capabilities,
      ...(instructions !== '' && { instructions }),
    }));
  }

  get transport(): StartableTransport | undefined {
    return this.#transport;
  }

  setRequestHandler(method: string, handler: KitHandler): void {
    this.#handlers.set(method, handler as RequestHandler);
  }

  /** The capabilities are fixed when the server is made. */
  registerCapabilities(): void {}

  /** Each request has the capabilities and the name of its client. */
  getClientCapabilities(): unknown {
    return undefined;
  }

  getClientVersion(): unknown {
    return undefined;
  }

  getNegotiatedProtocolVersion(): string {
    return revision;
  }

  /** A server that was closed can be connected again. */
  async connect(transport: RequestTransport): Promise<void> {
    if (this.#transport !== undefined) throw new Error('This server is connected already');
    this.#transport = transport;
    const { onclose, onmessage } = transport;
    transport.onmessage = (message, extra) => {
      onmessage?.(message, extra);
      this.#take(fieldsOf(message));
    };
    transport.onclose = () => {
      onclose?.();
      this.#disconnect();
    };
    await transport.start();
  }

  async close(): Promise<void> {
    await this.#transport?.close();
  }

  /** The revision has no requests to a client. */
  async request(): Promise<never> {
    throw new ProtocolFault(faultCodes.methodNotFound, `${revision} has no requests to a client`);
  }

  /** The endpoint announces changes to the clients that listen for them. */
  async sendToolListChanged(): Promise<void> {}

  /** No notification of this revision needs an act: a client cancels by closing its connection. */
  #take(message: Fields): void {
    const transport = this.#transport;
    const { method, id } = message;
    if (transport === undefined || typeof method !== 'string' || id === undefined) return;
    const handler = this.#handlers.get(method);
    // Sent at once, so that the transport sees that it comes from the protocol and not from a handler.
    if (handler === undefined)
      void reply(transport, id, errorOf(new ProtocolFault(faultCodes.methodNotFound, 'Method not found')));
    else void this.#answer(transport, message, handler);
  }

  async #answer(transport: RequestTransport, message: Fields, handler: RequestHandler): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.add(controller);
    const outcome = await this.#outcome(liftRequest(message), handler, { transport, signal });
    this.#running.delete(controller);
    // A cancelled request gets no response.
    if (!signal.aborted) await reply(transport, message['id'], outcome);
  }

  async #outcome(request: LiftedRequest, handler: RequestHandler, parts: ContextParts): Promise<Fields> {
    try {
      await this.#checkState(request);
      const result = await handler(request.message, contextOf(request, parts));
      return { result: this.#stamp(request.method, fieldsOf(result)) };
    } catch (error) {
      return errorOf(error);
    }
  }

  /** State that this server did not seal is refused, whatever is wrong with it. */
  async #checkState({ method, state }: LiftedRequest): Promise<void> {
    if (state === undefined || !asking.has(method)) return;
    try {
      if (typeof state !== 'string') throw new TypeError('not a text');
      await this.#identity.verifyState?.(state);
    } catch {
      const data = { reason: 'invalid_request_state' };
      throw new ProtocolFault(faultCodes.invalidParams, 'Invalid or expired requestState', data);
    }
  }

  /** Adds the fields that the revision wants in each result. */
  #stamp(method: string, result: Fields): Fields {
    const { resultType = 'complete', _meta: meta } = result;
    const isCacheable = resultType === 'complete' && cacheable.has(method);
    return {
      ...result,
      resultType,
      ...(isCacheable && { ttlMs: 0, cacheScope: 'private' }),
      _meta: { ...fieldsOf(meta), 'io.modelcontextprotocol/serverInfo': this.#identity.info },
    };
  }

  #disconnect(): void {
    this.#transport = undefined;
    for (const controller of this.#running) controller.abort();
    this.#running.clear();
  }
}

/** The methods whose results may ask the client. */
const asking: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** The methods whose results say how long they may be kept. */
const cacheable: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
]);

const envelope: ReadonlySet<string> = new Set(Object.values(envelopeKeys));

/** A request as handlers of every revision see it, and apart from it the parts that only this revision has. */
interface LiftedRequest {
  readonly method: string;
  readonly message: Fields;
  readonly meta: Fields | undefined;
  readonly envelope: Fields;
  readonly responses: unknown;
  readonly state: unknown;
}

function liftRequest(message: Fields): LiftedRequest {
  const {
    _meta: meta,
    inputResponses: responses,
    requestState: state,
    ...params
  } = fieldsOf(message['params']);
  const all = Object.entries(fieldsOf(meta));
  const rest = all.filter(([key]) => !envelope.has(key));
  const others = rest.length === 0 ? undefined : Object.fromEntries(rest);
  return {
    method: String(message['method']),
    message: { ...message, params: others === undefined ? params : { ...params, _meta: others } },
    meta: others,
    envelope: Object.fromEntries(all.filter(([key]) => envelope.has(key))),
    responses,
    state,
  };
}

interface ContextParts {
  readonly transport: RequestTransport;
  readonly signal: AbortSignal;
}

function contextOf(request: LiftedRequest, { transport, signal }: ContextParts): CallContext {
  const { message, method, meta, envelope, responses } = request;
  const { id } = message;
  const related = { relatedRequestId: id };
  const mcpReq = {
    id,
    method,
    _meta: meta,
    envelope,
    ...(responses !== undefined && sortResponses(fieldsOf(responses))),
    signal,
    // Nothing is heard of a call after it was cancelled.
    notify: async (notification: Fields) => {
      if (!signal.aborted) await transport.send({ jsonrpc: '2.0', ...notification }, related);
    },
  };
  return { sessionId: undefined, mcpReq };
}

/** An answer is a plain result; some clients wrap it as a message. */
function sortResponses(responses: Fields): Fields {
  const all = Object.entries(responses);
  const isResult = (entry: unknown): boolean =>
    isFields(entry) && !('method' in entry) && !('result' in entry);
  const dropped = all.filter(([, entry]) => !isResult(entry)).map(([key]) => key);
  return {
    inputResponses: Object.fromEntries(all.filter(([, entry]) => isResult(entry))),
    ...(dropped.length > 0 && { droppedInputResponseKeys: dropped }),
  };
}

async function reply(transport: RequestTransport, id: unknown, outcome: Fields): Promise<void> {
  try {
    await transport.send({ ...outcome, jsonrpc: '2.0', id });
  } catch {
    // The client is gone, and the transport says so.
  }
}
