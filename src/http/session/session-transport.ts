import { isFields } from '../../base/fields.ts';
import {
  isNotification,
  isRequest,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from '../exchange/json-rpc.ts';
import type { Reply } from '../exchange/reply.ts';
import type { RelatedRequest, ServerTransport } from '../exchange/server-like.ts';
import { type CallTrace, type EndpointMeters, traceCall, withTrace } from '../exchange/telemetry.ts';
import type { WaitingAnswers } from '../exchange/waiting-answers.ts';

export interface SessionTransportParts {
  readonly sessionId: string;
  readonly principal: string;
  readonly waiting: WaitingAnswers;
  /** Where requests are answered; absent if the POST holds only notifications. */
  readonly reply?: Reply;
  /** Called when every request has its response. */
  readonly complete?: (responses: readonly RpcResponse[]) => void;
  /** Milliseconds after which `roots/list` is sent again, where answers may be lost between nodes. */
  readonly askAgainMs?: number | undefined;
  /** Called when every request was cancelled. */
  readonly cancelled?: () => void;
  /** Called when a request has its response or will get none. */
  readonly onAnswered?: EndpointMeters['countCall'];
  /** Called when a request is sent to the client; `again` if it is repeated. */
  readonly onAsked?: (method: string, again: boolean) => void;
  /** Takes a notification that belongs to no request. */
  readonly notify: (notification: RpcNotification) => void;
}

interface PendingRequest {
  readonly method: string;
  readonly begun: number;
  readonly trace: CallTrace;
}

const hydrationId = 'rootward-hydration';

/**
 * The transport of a server that is built for one POST of a session. The server's requests to the client are sent on
 * the stream of that POST, with an id that leads the answer back to this object.
 */
export class SessionTransport implements ServerTransport {
  onmessage?: (message: RpcMessage, extra?: unknown) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly sessionId: string;
  readonly #parts: SessionTransportParts;
  readonly #pending = new Map<RpcId, PendingRequest>();
  readonly #responses: RpcResponse[] = [];
  /** From ids of the server to ids that the client sees. */
  readonly #asked = new Map<RpcId, string>();
  /** Timers of questions to be repeated, by the ids that the client sees. */
  readonly #again = new Map<string, NodeJS.Timeout>();
  #hydration: PromiseWithResolvers<void> | undefined;
  #closed = false;

  constructor(parts: SessionTransportParts) {
    this.sessionId = parts.sessionId;
    this.#parts = parts;
  }

  async start(): Promise<void> {}

  /** Replays `initialize` to a new server, with the parameters that began the session. */
  hydrate(initialize: unknown): Promise<void> {
    this.#hydration = withResolvers();
    const params = isFields(initialize) ? { params: initialize } : {};
    this.deliver({ jsonrpc: '2.0', id: hydrationId, method: 'initialize', ...params });
    return this.#hydration.promise;
  }

  /** Passes the requests of the client to the server. */
  begin(requests: readonly RpcRequest[]): void {
    const begun = performance.now();
    for (const request of requests) {
      this.#pending.set(request.id, { method: request.method, begun, trace: traceCall(request) });
    }
    for (const request of requests) this.#pending.get(request.id)?.trace.run(() => this.deliver(request));
  }

  /** Cancels a request: it gets no response, and nothing more is asked on its behalf. */
  cancel(notification: RpcNotification): void {
    this.deliver(notification);
    const id = cancelledId(notification);
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || pending === undefined) return;
    this.#pending.delete(id);
    this.#end(pending);
    if (this.#pending.size > 0) return;
    if (this.#responses.length > 0) this.#parts.complete?.(this.#responses);
    else this.#parts.cancelled?.();
    void this.close().catch(() => {});
  }

  deliver(message: RpcMessage): void {
    if (!this.#closed) this.onmessage?.(message);
  }

  /** Returns the ids of the requests without a response. */
  pending(): readonly RpcId[] {
    return [...this.#pending.keys()];
  }

  async send(message: RpcMessage, options?: RelatedRequest): Promise<void> {
    if (this.#closed) return;
    if (isRequest(message)) this.#ask(message);
    else if (isNotification(message)) this.#tell(message, options);
    else this.#answer(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const [asked, id] of this.#asked) this.#forget(asked, id);
    for (const pending of this.#pending.values()) this.#end(pending);
    this.#pending.clear();
    this.#hydration?.reject(new Error('The exchange ended before the server was ready'));
    this.onclose?.();
  }

  #answer(response: RpcResponse): void {
    if (response.id === hydrationId && this.#hydration !== undefined) {
      const { resolve, reject } = this.#hydration;
      this.#hydration = undefined;
      if ('error' in response) reject(new Error('The server refused the session'));
      else resolve();
      return;
    }
    const pending = this.#pending.get(response.id);
    if (pending === undefined) return;
    this.#pending.delete(response.id);
    this.#end(pending, response);
    this.#responses.push(response);
    if (this.#pending.size === 0) this.#parts.complete?.(this.#responses);
  }

  #end({ method, begun, trace }: PendingRequest, response?: RpcResponse): void {
    trace.end(response);
    const ok = response !== undefined && !('error' in response);
    this.#parts.onAnswered?.({ method, ok, milliseconds: performance.now() - begun });
  }

  /** Fails at once if the client cannot be reached, instead of waiting for an answer that cannot come. */
  #ask(request: RpcRequest): void {
    const { reply, sessionId: session, principal, waiting } = this.#parts;
    if (reply === undefined || reply.closed || !reply.canStream || this.#pending.size === 0) {
      throw new Error(`Cannot send ${request.method}: no stream of this client is open`);
    }
    const id = waiting.expect({
      session,
      principal,
      answer: (response) => {
        this.#forget(request.id, id);
        this.deliver({ ...response, id: request.id });
      },
      progress: (progress) =>
        this.deliver({ ...progress, params: { ...progress.params, progressToken: request.id } }),
    });
    this.#asked.set(request.id, id);
    const question = withTrace({ ...withProgressToken(request, id), id });
    reply.event(question);
    this.#parts.onAsked?.(request.method, false);
    if (request.method === 'roots/list') this.#askAgain(question, reply);
  }

  /** Repeats the question with the same id: the first answer counts. */
  #askAgain(question: RpcRequest, reply: Reply): void {
    const { askAgainMs, waiting, onAsked } = this.#parts;
    if (askAgainMs === undefined) return;
    const id = String(question.id);
    const timer = setTimeout(() => {
      if (!waiting.has(id) || reply.closed) return;
      reply.event(question);
      onAsked?.(question.method, true);
    }, askAgainMs);
    this.#again.set(id, timer.unref());
  }

  /** Drops a question together with its timer. */
  #forget(asked: RpcId, id: string): void {
    this.#asked.delete(asked);
    this.#parts.waiting.forget(id);
    clearTimeout(this.#again.get(id));
    this.#again.delete(id);
  }

  #tell(notification: RpcNotification, options?: RelatedRequest): void {
    const { reply, notify } = this.#parts;
    const cancelled = cancelledId(notification);
    const question = cancelled === undefined ? undefined : this.#asked.get(cancelled);
    if (cancelled !== undefined && question !== undefined) {
      this.#forget(cancelled, question);
      reply?.event({ ...notification, params: { ...notification.params, requestId: question } });
      return;
    }
    const related = options?.relatedRequestId;
    if (related === undefined || !this.#pending.has(related)) notify(notification);
    else if (reply?.canStream === true) reply.event(notification);
  }
}

/** Both SDKs use the request id as progress token, so it has to be translated like the id. */
function withProgressToken(request: RpcRequest, id: string): RpcRequest {
  const meta = request.params?.['_meta'];
  if (!isFields(meta) || meta['progressToken'] !== request.id) return request;
  return { ...request, params: { ...request.params, _meta: { ...meta, progressToken: id } } };
}

/** Returns the id of the request that a notification cancels. */
export function cancelledId({ method, params }: RpcNotification): RpcId | undefined {
  const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

interface PromiseWithResolvers<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/** `Promise.withResolvers` is missing in Node 20. */
function withResolvers(): PromiseWithResolvers<void> {
  let resolve: () => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // If the server is closed meanwhile, the rejection must not end the process.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
