import type { RpcId, RpcNotification } from './json-rpc.ts';

/** A call that is under way, as far as others may touch it. */
export interface OpenCall {
  /** The client wants no answer any more. */
  readonly cancel: (notification: RpcNotification) => void;
  /** It ends without a result: the session is over, or its connection is lost. */
  readonly abandon: (reason: string) => void;
  /** The name of the stream of its answer, once it is one. */
  readonly stream?: () => string | undefined;
}

/** Which calls are under way, by session and id. */
export class OpenCalls<Call extends OpenCall = OpenCall> {
  readonly #sessions = new Map<string, Map<RpcId, Call>>();

  find(session: string, id: RpcId): Call | undefined {
    return this.#sessions.get(session)?.get(id);
  }

  count(session: string): number {
    return this.#sessions.get(session)?.size ?? 0;
  }

  add(session: string, ids: readonly RpcId[], call: Call): void {
    const calls = this.#sessions.get(session) ?? new Map<RpcId, Call>();
    this.#sessions.set(session, calls);
    for (const id of ids) calls.set(id, call);
  }

  remove(session: string, ids: readonly RpcId[]): void {
    const calls = this.#sessions.get(session);
    if (calls === undefined) return;
    for (const id of ids) calls.delete(id);
    if (calls.size === 0) this.#sessions.delete(session);
  }

  /** Abandons what a session has under way: it is over. */
  abandon(session: string): void {
    for (const call of new Set(this.#sessions.get(session)?.values())) call.abandon('The session is over');
  }
}
