import { quote } from '../../base/quote.ts';
import type { RpcId } from '../../http/exchange/json-rpc.ts';
import type { Decision } from '../../policy/decision.ts';
import type { ClientCall, ClientCalls } from '../relay/client-calls.ts';
import { errorReply, resultReply, type WireFrame } from '../relay/wire-frame.ts';
import { type CallGate, toolIn } from './call-gate.ts';
import type { CallLog } from './call-record.ts';

export interface DeskParts {
  readonly calls: ClientCalls;
  readonly gate: Pick<CallGate, 'decide'>;
  /** The log of the present client. */
  readonly log: () => CallLog;
  /** Whether the client speaks 2026-07-28. */
  readonly isNewer: () => boolean;
  /** Sends a request to the server. */
  readonly pass: (frame: WireFrame) => void;
  /** Sends an answer to the client. */
  readonly reply: (message: object) => void;
}

/** Takes the requests of a client, and sees to it that each of them ends in one answer and one record. */
export class CallDesk {
  readonly #parts: DeskParts;
  /** Requests that a rule or a person decides about. */
  readonly #undecided = new Map<RpcId, AbortController>();

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** Passes a request on, or refuses it; at once, unless the decision takes time. */
  take(frame: WireFrame): void {
    const { id } = frame;
    const undecided = new AbortController();
    const decision = this.#parts.gate.decide(frame, undecided.signal);
    if (!(decision instanceof Promise)) return this.#conclude(frame, decision);
    if (id === undefined) return;
    this.#undecided.set(id, undecided);
    void this.#await(frame, id, decision);
  }

  /** Ends a request that the client takes back; returns whether the server must hear of it. */
  cancel(id: unknown): boolean {
    if (typeof id !== 'string' && typeof id !== 'number') return true;
    const undecided = this.#undecided.get(id);
    this.#undecided.delete(id);
    undecided?.abort();
    const call = this.#parts.calls.end(id);
    if (call !== undefined) this.#parts.log().cancelled(call);
    return undecided === undefined;
  }

  /** Notes the answer of the server. Returns the request, if it was open. */
  answered(answer: WireFrame): ClientCall | undefined {
    const call = this.#parts.calls.end(answer.id);
    if (call !== undefined) this.#parts.log().answered(call, answer);
    return call;
  }

  /** Answers one request in the place of the server. */
  fail(id: RpcId, reason: string): void {
    const call = this.#parts.calls.end(id);
    if (call !== undefined) this.#parts.log().lost(call);
    this.#parts.reply(errorReply(id, -32_603, reason));
  }

  /** Answers every request that is open, except for those that have not reached the server. */
  failAll(reason: string, except: readonly WireFrame[] = []): void {
    const kept = new Set(except.map(({ id }) => id));
    for (const { frame } of this.#parts.calls.all())
      if (frame.id !== undefined && !kept.has(frame.id) && !this.#undecided.has(frame.id))
        this.fail(frame.id, reason);
  }

  close(): void {
    for (const undecided of this.#undecided.values()) undecided.abort();
    this.#undecided.clear();
  }

  async #await(frame: WireFrame, id: RpcId, decision: Promise<Decision>): Promise<void> {
    const decided = await decision.catch(failedDecision);
    // A call that was cancelled meanwhile is gone.
    if (this.#undecided.delete(id)) this.#conclude(frame, decided);
  }

  #conclude(frame: WireFrame, decision: Decision | undefined): void {
    if (decision?.verdict === 'deny') return this.#refuse(frame, decision);
    if (decision !== undefined) this.#parts.calls.judge(frame.id, decision);
    this.#parts.pass(frame);
  }

  #refuse(frame: WireFrame, decision: Decision): void {
    const call = this.#parts.calls.end(frame.id);
    if (call === undefined || frame.id === undefined) return;
    this.#parts.log().refused(call, decision);
    this.#parts.reply(refusalOf(frame.id, frame, { decision, isNewer: this.#parts.isNewer() }));
  }
}

/** A decision that cannot be made is a no. */
function failedDecision(error: unknown): Decision {
  const reason = error instanceof Error ? error.message : 'it could not be judged';
  return { verdict: 'deny', rule: 'undecided', reason };
}

/** The codes of a resource that is not found, before 2026-07-28 and since. */
const notFound = { older: -32_002, newer: -32_602 } as const;

interface Refused {
  readonly decision: Decision;
  readonly isNewer: boolean;
}

/** A refused tool answers with an error that its model reads; anything else with one of the protocol. */
function refusalOf(id: RpcId, frame: WireFrame, { decision: { rule, reason }, isNewer }: Refused): object {
  if (frame.method !== 'tools/call') return errorReply(id, notFound[isNewer ? 'newer' : 'older'], reason);
  const name = quote(toolIn(frame) ?? '');
  return resultReply(id, {
    isError: true,
    content: [{ type: 'text', text: `Cannot call ${name}: ${reason}` }],
    ...(isNewer && { resultType: 'complete' }),
    _meta: { 'rootward/error': { code: 'DENIED', rule, reason } },
  });
}
