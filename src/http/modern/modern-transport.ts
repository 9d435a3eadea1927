import {
  type JSONRPCMessage,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import {
  isNotification,
  isRequest,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from '../exchange/json-rpc.ts';
import type { Reply } from '../exchange/reply.ts';
import { type CallTrace, type EndpointMeters, traceCall } from '../exchange/telemetry.ts';

/** HTTP statuses of protocol errors; errors from a handler are ordinary results. */
const statuses: ReadonlyMap<number, number> = new Map([
  [-32_700, 400],
  [-32_600, 400],
  [-32_601, 404],
  [-32_020, 400],
  [-32_021, 400],
  [-32_022, 400],
]);

/** A missing client capability: always gets its status, even from a handler. */
const missingCapability = -32_021;

/**
 * The transport of a server that is built for one request of 2026-07-28. The SDK binds a server to that revision by
 * the class of its transport, so this one extends the SDK's and replaces its output.
 */
export class ModernTransport extends PerRequestHTTPServerTransport {
  readonly #classification: MessageClassification;
  readonly #reply: Reply | undefined;
  readonly #answered: EndpointMeters['countCall'] | undefined;
  readonly #begun = performance.now();
  #request: RpcRequest | undefined;
  #trace: CallTrace | undefined;
  /** True while the message is passed to the SDK: an error sent meanwhile comes from the protocol layer. */
  #handingOver = false;
  #over = false;

  constructor(classification: MessageClassification, reply?: Reply, answered?: EndpointMeters['countCall']) {
    super({ classification, keepAliveMs: 0 });
    this.#classification = classification;
    this.#reply = reply;
    this.#answered = answered;
  }

  deliver(message: RpcRequest | RpcNotification): void {
    if (isRequest(message)) this.#request = message;
    if (isRequest(message)) this.#trace = traceCall(message);
    this.#handingOver = true;
    const hand = (): void => this.onmessage?.(message as never, { classification: this.#classification });
    try {
      if (this.#trace === undefined) hand();
      else this.#trace.run(hand);
    } finally {
      this.#handingOver = false;
    }
  }

  override async send(sent: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const message = sent as RpcMessage;
    if (this.#over || this.#request === undefined) return;
    if (isRequest(message)) throw new Error(`Cannot send ${message.method}: 2026-07-28 has no such requests`);
    if (isNotification(message)) {
      if (options?.relatedRequestId === this.#request.id && this.#reply?.canStream === true) {
        this.#reply.event(message);
      }
      return;
    }
    if (message.id !== this.#request.id) return;
    this.#end(message);
    this.#reply?.finish(message, this.#statusOf(message.error));
  }

  override async close(): Promise<void> {
    if (!this.#over) this.#end();
    await super.close();
  }

  #end(response?: RpcResponse): void {
    this.#over = true;
    this.#trace?.end(response);
    if (this.#request === undefined) return;
    const ok = response !== undefined && !('error' in response);
    this.#answered?.({ method: this.#request.method, ok, milliseconds: performance.now() - this.#begun });
  }

  #statusOf(error: unknown): number {
    const code = (error as { code?: number } | undefined)?.code;
    if (code === undefined || (!this.#handingOver && code !== missingCapability)) return 200;
    return statuses.get(code) ?? 200;
  }
}
