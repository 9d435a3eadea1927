import { randomBytes } from 'node:crypto';
import { isFields } from '../../base/fields.ts';
import type { StreamState } from '../../sessions/record/session-store.ts';
import { type RpcNotification, type RpcResponse } from './json-rpc.ts';

/** How a node asks the one that answered a call how it ended, and how that one says it. */
export const resumptionMethods = { ask: 'rootward/resume', tell: 'rootward/resumed' } as const;

/** Milliseconds that a node has to say how a call ended. */
const patience = 500;

/** What this node has asked others, and not heard yet. */
export class PendingResumptions {
  readonly #waiting = new Map<string, (response: RpcResponse | undefined) => void>();

  /** A question for the node of a stream, and its answer: nothing if that node does not know, or not in time. */
  ask(stream: string, node: string): { readonly message: RpcNotification; readonly answer: Answer } {
    const key = randomBytes(12).toString('base64url');
    const answer = new Promise<RpcResponse | undefined>((resolve) => {
      const timer = setTimeout(() => this.#settle(key, undefined), patience);
      this.#waiting.set(key, (response) => {
        clearTimeout(timer);
        resolve(response);
      });
    });
    const params = { stream, key, node };
    return { message: { jsonrpc: '2.0', method: resumptionMethods.ask, params }, answer };
  }

  /** Takes what another node tells. */
  take({ params }: RpcNotification): void {
    const response = params?.['response'];
    this.#settle(String(params?.['key']), isFields(response) ? (response as never) : undefined);
  }

  #settle(key: string, response: RpcResponse | undefined): void {
    const resolve = this.#waiting.get(key);
    this.#waiting.delete(key);
    resolve?.(response);
  }
}

type Answer = Promise<RpcResponse | undefined>;

/** What another node wants to know. */
export function readResumption({ params = {} }: RpcNotification): {
  readonly stream: string;
  readonly node: string;
  readonly tell: (response: RpcResponse | undefined) => RpcNotification;
} {
  const { stream, node, key } = params;
  return {
    stream: String(stream),
    node: String(node),
    tell: (response) => ({
      jsonrpc: '2.0',
      method: resumptionMethods.tell,
      params: { key, ...(response === undefined ? {} : { response }) },
    }),
  };
}

/** The call of a stream is not wanted any more. */
export function cancellationOf({ request }: Pick<StreamState, 'request'>): RpcNotification {
  const params = { requestId: request, reason: 'The connection was lost' };
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params };
}
