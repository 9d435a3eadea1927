import { type Fields, fieldsOf } from '../../base/fields.ts';
import type { CallContext } from '../../server/sdk/call-context.ts';
import {
  type RequestHandler,
  type SendOptions,
  sessionRevisions,
  type StartableTransport,
  type WireRequest,
} from '../../server/sdk/protocol-server.ts';
import {
  errorOf,
  faultCodes,
  faultIn,
  type KitHandler,
  type KitServer,
  ProtocolFault,
  type ServerFacts,
} from './kit-server.ts';

type RequestId = string | number;

interface SessionTransportLike extends StartableTransport {
  send(message: Fields, options?: { readonly relatedRequestId?: RequestId }): Promise<void>;
  close(): Promise<void>;
}

interface RunningRequest {
  readonly id: RequestId;
  readonly controller: AbortController;
}

interface OpenQuestion {
  readonly timer: NodeJS.Timeout;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Speaks the revisions that begin with `initialize`, up to 2025-11-25. It does what the SDK's `Server` does, for the
 * handlers of a ready server, without its schemas: building those takes a fifth of a start, and checking each message
 * against them a tenth of a call. The transport checks the form of messages, the handlers check their parameters.
 */
export class SessionServer implements KitServer {
  readonly #identity: ServerFacts;
  readonly #handlers = new Map<string, RequestHandler>();
  /** The requests that are being answered. A client may use an id twice. */
  readonly #running = new Set<RunningRequest>();
  /** Our own requests. */
  readonly #questions = new Map<number, OpenQuestion>();
  #lastQuestion = 0;
  #transport: SessionTransportLike | undefined;
  #introduction: Fields = {};
  #revision: string | undefined;

  constructor(identity: ServerFacts) {
    this.#identity = identity;
    this.#handlers.set('initialize', (request) => this.#initialize(fieldsOf(fieldsOf(request)['params'])));
    this.#handlers.set('ping', () => ({}));
  }

  get transport(): StartableTransport | undefined {
    return this.#transport;
  }

  setRequestHandler(method: string, handler: KitHandler): void {
    this.#handlers.set(method, handler as RequestHandler);
  }

  /** The capabilities are fixed when the server is made. */
  registerCapabilities(): void {}

  getClientCapabilities(): unknown {
    return this.#introduction['capabilities'];
  }

  getClientVersion(): unknown {
    return this.#introduction['clientInfo'];
  }

  getNegotiatedProtocolVersion(): string | undefined {
    return this.#revision;
  }

  /** A server that was closed can be connected again; it still knows the last `initialize`. */
  async connect(transport: SessionTransportLike): Promise<void> {
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

  /** Sends a request that belongs to no call. The schema is for the SDKs, which check results. */
  request(request: WireRequest, _schema: unknown, options: SendOptions): Promise<unknown> {
    return this.#ask(request, options);
  }

  async sendToolListChanged(): Promise<void> {
    await this.#transport?.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }

  #initialize(params: Fields): Fields {
    const { protocolVersion: asked } = params;
    const { info, instructions, capabilities } = this.#identity;
    this.#introduction = params;
    this.#revision = sessionRevisions.find((revision) => revision === asked) ?? sessionRevisions[0];
    return {
      protocolVersion: this.#revision,
      capabilities,
      serverInfo: info,
      ...(instructions !== '' && { instructions }),
    };
  }

  #take(message: Fields): void {
    const { method, id } = message;
    if (typeof method !== 'string') this.#settle(message);
    else if (id === undefined) this.#notice(method, fieldsOf(message['params']));
    else if (typeof id === 'string' || typeof id === 'number') void this.#answer(id, method, message);
  }

  #notice(method: string, { requestId }: Fields): void {
    if (method !== 'notifications/cancelled') return;
    for (const { id, controller } of this.#running) if (id === requestId) controller.abort();
  }

  async #answer(id: RequestId, method: string, request: Fields): Promise<void> {
    const transport = this.#transport;
    if (transport === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    const running = { id, controller };
    this.#running.add(running);
    try {
      const outcome = await this.#outcome(method, request, this.#contextOf(id, method, request, signal));
      // A cancelled request gets no response.
      if (!signal.aborted) await transport.send({ ...outcome, jsonrpc: '2.0', id });
    } catch {
      // The client is gone, and the transport says so.
    } finally {
      this.#running.delete(running);
    }
  }

  async #outcome(method: string, request: Fields, context: CallContext): Promise<Fields> {
    const handler = this.#handlers.get(method);
    if (handler === undefined)
      return errorOf(new ProtocolFault(faultCodes.methodNotFound, 'Method not found'));
    try {
      return { result: await handler(request, context) };
    } catch (error) {
      return errorOf(error);
    }
  }

  #contextOf(id: RequestId, method: string, request: Fields, signal: AbortSignal): CallContext {
    const related = { relatedRequestId: id };
    const mcpReq = {
      id,
      method,
      _meta: fieldsOf(request['params'])['_meta'],
      signal,
      send: (question: WireRequest, _schema: unknown, options: SendOptions) =>
        this.#ask(question, options, related),
      // Nothing is heard of a call after it was cancelled.
      notify: async (notification: Fields) => {
        if (!signal.aborted) await this.#transport?.send({ jsonrpc: '2.0', ...notification }, related);
      },
    };
    return { sessionId: this.#transport?.sessionId, mcpReq };
  }

  async #ask(
    request: WireRequest,
    { timeout }: SendOptions,
    related?: { readonly relatedRequestId: RequestId },
  ): Promise<unknown> {
    const transport = this.#transport;
    if (transport === undefined) throw new ProtocolFault(faultCodes.connectionClosed, 'Not connected');
    this.#lastQuestion += 1;
    const id = this.#lastQuestion;
    const answer = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#questions.delete(id);
        this.#cancel(id, related);
        reject(new ProtocolFault(faultCodes.timedOut, 'Request timed out'));
      }, timeout).unref();
      this.#questions.set(id, { timer, resolve, reject });
    });
    // It is rejected when the connection ends, even if sending fails first.
    answer.catch(() => undefined);
    try {
      await transport.send({ ...request, jsonrpc: '2.0', id }, related);
    } catch (error) {
      this.#forget(id);
      throw error;
    }
    return answer;
  }

  #cancel(requestId: number, related: { readonly relatedRequestId: RequestId } | undefined): void {
    const params = { requestId, reason: 'Request timed out' };
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    this.#transport?.send(notification, related).catch(() => undefined);
  }

  /** Takes a response to one of our requests. */
  #settle(response: Fields): void {
    const question = this.#forget(Number(response['id']));
    const { error, result } = response;
    if (error === undefined) question?.resolve(result);
    else question?.reject(faultIn(fieldsOf(error)));
  }

  #forget(id: number): OpenQuestion | undefined {
    const question = this.#questions.get(id);
    clearTimeout(question?.timer);
    this.#questions.delete(id);
    return question;
  }

  #disconnect(): void {
    this.#transport = undefined;
    for (const id of this.#questions.keys())
      this.#forget(id)?.reject(new ProtocolFault(faultCodes.connectionClosed, 'Connection closed'));
    for (const { controller } of this.#running) controller.abort();
    this.#running.clear();
  }
}
