import type { RpcId } from '../../http/exchange/json-rpc.ts';
import type { Decision } from '../../policy/decision.ts';
import { valueIn, type WireFrame } from './wire-frame.ts';

/** A request of the client that the server has not answered. */
export interface ClientCall {
  readonly frame: WireFrame;
  readonly method: string;
  /** The token under which the server may report progress. */
  readonly token: RpcId | undefined;
  /** On the clock of `performance.now`. */
  readonly started: number;
  /** Why it was passed on, if a rule said so. */
  readonly decision?: Decision;
}

/** The requests of the client that are open. */
export class ClientCalls {
  readonly #open = new Map<RpcId, ClientCall>();
  /** How many requests use a token: two may use the same. */
  readonly #tokens = new Map<RpcId, number>();
  /** Called when a request has ended. */
  #ended: (() => void)[] = [];

  /** Resolves when no more than so many requests are open. */
  async idle(most: () => number = () => 0): Promise<void> {
    while (this.#open.size > most()) await new Promise<void>((resolve) => this.#ended.push(resolve));
  }

  add(frame: WireFrame): ClientCall {
    const { id, method = '' } = frame;
    const token = valueIn(frame, 'params', '_meta', 'progressToken');
    const call: ClientCall = {
      frame,
      method,
      token: typeof token === 'string' || typeof token === 'number' ? token : undefined,
      started: performance.now(),
    };
    if (id !== undefined) this.#open.set(id, call);
    if (call.token !== undefined) this.#tokens.set(call.token, (this.#tokens.get(call.token) ?? 0) + 1);
    return call;
  }

  find(id: RpcId | undefined): ClientCall | undefined {
    return id === undefined ? undefined : this.#open.get(id);
  }

  /** Notes why a request is passed on. */
  judge(id: RpcId | undefined, decision: Decision): void {
    const call = this.find(id);
    if (call !== undefined && id !== undefined) this.#open.set(id, { ...call, decision });
  }

  /** Returns the request that an answer ends. */
  end(id: RpcId | undefined): ClientCall | undefined {
    const call = this.find(id);
    if (call === undefined || id === undefined) return undefined;
    this.#open.delete(id);
    // A task reports progress after its request was answered.
    if (call.token !== undefined && valueIn(call.frame, 'params', 'task') === undefined)
      this.#release(call.token);
    this.#notify();
    return call;
  }

  /** All of them, in the order in which they came. */
  all(): readonly ClientCall[] {
    return [...this.#open.values()];
  }

  /** Whether progress under this token belongs to an open request; some clients disconnect on any other. */
  takesProgress(token: unknown): boolean {
    return (typeof token === 'string' || typeof token === 'number') && this.#tokens.has(token);
  }

  #notify(): void {
    const ended = this.#ended;
    this.#ended = [];
    for (const resolve of ended) resolve();
  }

  #release(token: RpcId): void {
    const others = (this.#tokens.get(token) ?? 1) - 1;
    if (others === 0) this.#tokens.delete(token);
    else this.#tokens.set(token, others);
  }
}
