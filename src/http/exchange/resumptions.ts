import { randomBytes } from 'node:crypto';
import { isFields } from '../../base/fields.ts';
import type { StreamState } from '../../sessions/record/session-store.ts';
import { type RpcNotification, type RpcResponse } from './json-rpc.ts';

/** Asks the node that ran a call for its result, and carries the answer back. */
export const resumptionMethods = { ask: 'rootward/resume', tell: 'rootward/resumed' } as const;

/** Milliseconds to wait for the answer of another node. */
const patience = 500;

/** Questions of this node about calls on other nodes, until they are answered. */
export class PendingResumptions {
  readonly #waiting = new Map<string, (response: RpcResponse | undefined) => void>();

  /**
   * Creates a question to the node of a stream. The answer is `undefined` if that node has no result or does not reply.
   */
  ask(stream: string, node: string): { readonly message: RpcNotification; readonly answer: ResumedResponse } {
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

  /** Takes the answer of another node. */
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

type ResumedResponse = Promise<RpcResponse | undefined>;

/** Reads the question of another node. */
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

/** Builds the notification that cancels the call of a stream. */
export function cancellationOf({ request }: Pick<StreamState, 'request'>): RpcNotification {
  const params = { requestId: request, reason: 'The connection was lost' };
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params };
}
