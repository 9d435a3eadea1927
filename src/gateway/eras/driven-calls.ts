import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import type { RpcId, RpcRequest, RpcResponse } from '../../http/exchange/json-rpc.ts';
import { type ClientIntroduction, withEnvelope } from './envelope.ts';
import { crossingOf } from './methods.ts';
import { toOlderResult } from './results.ts';
import { answerTo, failTo, noteThat, notifyTo, requestTo, rpcCodes, sendTo, type EraStep } from './step.ts';

/** Bounds for a server that asks and asks: rounds of one call, and questions of one round. */
export const mostRounds = 10;
export const mostQuestions = 8;

/** The requests of an older client that a server of 2026-07-28 works on. */
export interface DrivenOptions {
  readonly newId: () => string;
  /** Returns the words about the client that each request contains. */
  readonly introduce: () => ClientIntroduction;
}

interface DrivenCall {
  readonly request: RpcRequest;
  rounds: number;
  /** The id under which the server works on it; `undefined` while the client is asked. */
  leg: RpcId | undefined;
  /** Keys of the questions that wait for an answer, by the id under which they were asked. */
  readonly waiting: Map<RpcId, WaitingQuestion>;
  answers: Record<string, unknown>;
  state: string | undefined;
}

interface WaitingQuestion {
  readonly key: string;
  readonly method: string;
}

/**
 * Calls of an older client at a server of 2026-07-28. That server answers "input required" where it has questions:
 * each is put to the client as a request, and the call is sent again with the answers. The client waits all the time
 * for one answer to one request.
 */
export class DrivenCalls {
  readonly #options: DrivenOptions;
  readonly #calls = new Map<RpcId, DrivenCall>();
  readonly #legs = new Map<RpcId, DrivenCall>();
  readonly #questions = new Map<RpcId, DrivenCall>();

  constructor(options: DrivenOptions) {
    this.#options = options;
  }

  begin(request: RpcRequest): readonly EraStep[] {
    const call = { request, rounds: 0, leg: undefined, waiting: new Map(), answers: {}, state: undefined };
    this.#calls.set(request.id, call);
    return [this.#sendLeg(call, request.id, request.params)];
  }

  /** Takes a response of the server. */
  settle(response: RpcResponse): readonly EraStep[] {
    const call = this.#legs.get(response.id);
    if (call === undefined) return [noteThat('dropped', 'server', 'response', 'no request waits for it')];
    this.#legs.delete(response.id);
    call.leg = undefined;
    const { id, method } = call.request;
    if ('error' in response) return this.#end(call, sendTo('client', { ...response, id }));
    const { resultType = 'complete' } = fieldsOf(response.result);
    if (resultType === 'complete') {
      return this.#end(call, answerTo('client', id, toOlderResult(method, response.result)));
    }
    const isCall = crossingOf('olderClient', 'client', method) === 'call';
    if (resultType === 'input_required' && isCall) return this.#ask(call, fieldsOf(response.result));
    return this.#fail(call, 'the result has a type that is not known');
  }

  /** Takes a response of the client; `undefined` if it answers none of our questions. */
  answer(response: RpcResponse): readonly EraStep[] | undefined {
    const call = this.#questions.get(response.id);
    const question = call?.waiting.get(response.id);
    if (call === undefined || question === undefined) return undefined;
    this.#questions.delete(response.id);
    call.waiting.delete(response.id);
    const answer = 'error' in response ? answerInstead(question.method) : response.result;
    if (answer === undefined) return this.#fail(call, 'the client answered a question with an error');
    call.answers[question.key] = answer;
    return call.waiting.size === 0 ? [this.#retry(call)] : [];
  }

  /** The client gave up a request: the leg under way is cancelled, and so are the questions. */
  cancel(id: unknown, reason: unknown): readonly EraStep[] {
    const call = this.#calls.get(id as RpcId);
    if (call === undefined) return [];
    const { leg } = call;
    const why = typeof reason === 'string' ? { reason } : {};
    if (leg === undefined) return this.#forget(call);
    return [notifyTo('server', 'notifications/cancelled', { requestId: leg, ...why }), ...this.#forget(call)];
  }

  /** Whether a request with this progress token is open. */
  hasToken(token: unknown): boolean {
    for (const { request } of this.#calls.values()) {
      if (fieldsOf(request.params?.['_meta'])['progressToken'] === token) return true;
    }
    return false;
  }

  clear(): void {
    for (const map of [this.#calls, this.#legs, this.#questions]) map.clear();
  }

  #ask(call: DrivenCall, result: Fields): readonly EraStep[] {
    const questions = Object.entries(fieldsOf(result['inputRequests']));
    const { requestState } = result;
    const fault = this.#faultIn(call, questions, requestState);
    if (fault !== undefined) return this.#fail(call, fault);
    call.rounds += 1;
    call.answers = {};
    call.state = typeof requestState === 'string' ? requestState : undefined;
    return questions.length === 0
      ? [this.#retry(call)]
      : questions.map(([key, question]) => this.#put(call, key, fieldsOf(question)));
  }

  #faultIn(call: DrivenCall, questions: readonly [string, unknown][], state: unknown): string | undefined {
    if (call.rounds >= mostRounds) return `the server asked more than ${mostRounds} times`;
    if (questions.length > mostQuestions)
      return `the server put more than ${mostQuestions} questions at once`;
    if (questions.length === 0 && typeof state !== 'string') return 'the server asked for nothing';
    const { capabilities } = this.#options.introduce();
    for (const [, question] of questions) {
      const fault = faultOf(fieldsOf(question), capabilities);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #put(call: DrivenCall, key: string, { method, params }: Fields): EraStep {
    const id = this.#options.newId();
    const name = String(method);
    call.waiting.set(id, { key, method: name });
    this.#questions.set(id, call);
    if (name === 'roots/list') return { kind: 'roots-asked', question: id };
    return requestTo('client', id, name, isFields(params) ? params : undefined);
  }

  #retry(call: DrivenCall): EraStep {
    const hasAnswers = Object.keys(call.answers).length > 0;
    return this.#sendLeg(call, this.#options.newId(), {
      ...call.request.params,
      ...(hasAnswers && { inputResponses: call.answers }),
      ...(call.state !== undefined && { requestState: call.state }),
    });
  }

  #sendLeg(call: DrivenCall, id: RpcId, params: Fields | undefined): EraStep {
    call.leg = id;
    this.#legs.set(id, call);
    return requestTo('server', id, call.request.method, withEnvelope(params, this.#options.introduce()));
  }

  #fail(call: DrivenCall, why: string): readonly EraStep[] {
    const { id, method } = call.request;
    const message = `The call cannot be completed: ${why}`;
    const failed = failTo('client', id, { code: rpcCodes.internal, message });
    return [...this.#end(call, failed), noteThat('declined', 'server', method, why)];
  }

  #end(call: DrivenCall, last: EraStep): readonly EraStep[] {
    return [...this.#forget(call), last];
  }

  /** Forgets a call; questions that the client still has are cancelled. */
  #forget(call: DrivenCall): readonly EraStep[] {
    this.#calls.delete(call.request.id);
    if (call.leg !== undefined) this.#legs.delete(call.leg);
    const open = [...call.waiting];
    for (const [id] of open) this.#questions.delete(id);
    call.waiting.clear();
    return open
      .filter(([, { method }]) => method !== 'roots/list')
      .map(([requestId]) => notifyTo('client', 'notifications/cancelled', { requestId }));
  }
}

/** Returns why the client cannot be asked, as the end of a sentence. */
function faultOf({ method, params }: Fields, capabilities: Fields): string | undefined {
  if (method === 'roots/list') return undefined;
  const capability = typeof method === 'string' ? capabilityOf[method] : undefined;
  if (capability === undefined) return 'the server put a question that is not known';
  if (!isFields(capabilities[capability])) return `the client did not declare ${capability}`;
  return fieldsOf(params)['mode'] === 'url' ? 'a URL cannot be opened by an older client' : undefined;
}

/** The capability that a client declares if it can be asked. */
export const capabilityOf: Readonly<Partial<Record<string, string>>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
};

/** An error cannot be carried to the server. A person who was not asked has not agreed. */
function answerInstead(method: string): Fields | undefined {
  return method === 'elicitation/create' ? { action: 'cancel' } : undefined;
}
