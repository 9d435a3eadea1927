import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import type { RpcId, RpcRequest, RpcResponse } from '../../http/exchange/json-rpc.ts';
import { capabilityOf, mostQuestions, mostRounds } from './driven-calls.ts';
import { readEnvelope, withoutEnvelope } from './envelope.ts';
import { crossingOf } from './methods.ts';
import { toNewerError, toNewerResult } from './results.ts';
import { askInRound } from './rounds-of-client.ts';
import {
  answerTo,
  failTo,
  noteThat,
  notifyTo,
  requestTo,
  rpcCodes,
  sendTo,
  type EraStep,
  type TranslatorOptions,
} from './step.ts';

/** Milliseconds for which a server waits for an answer of the client; its `requestState` expires as well. */
const longestWait = 600_000;

interface OpenCall {
  /** The request under which the server works on it. */
  readonly first: RpcRequest;
  /** The request that the client waits for; `undefined` while the call is parked. */
  current: RpcRequest | undefined;
  rounds: number;
  /** Questions of the server without an answer, by their key. */
  readonly questions: Map<string, ServerQuestion>;
  /** The server's response, if it came while the call was parked. */
  response: RpcResponse | undefined;
  handle: string | undefined;
  parkedAt: number;
}

interface ServerQuestion {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Fields | undefined;
}

/**
 * Calls of a client of 2026-07-28 at an older server. When that server asks the client something in the middle of a
 * call, the client's request ends with the question and a sealed handle, while the call stays open at the server. The
 * client sends its request again with the answer, and then waits for the result.
 *
 * An older server does not say which call a question belongs to. With one request open it is certain; otherwise the
 * question is declined. It works only where both rounds reach this process, as over stdio.
 */
export class ParkedCalls {
  readonly #options: TranslatorOptions;
  readonly #serverInfo: Fields | undefined;
  readonly #open = new Map<RpcId, OpenCall>();
  readonly #current = new Map<RpcId, OpenCall>();
  readonly #parked = new Map<string, OpenCall>();
  #asked = 0;

  constructor(options: TranslatorOptions, serverInfo: Fields | undefined) {
    this.#options = options;
    this.#serverInfo = serverInfo;
  }

  begin(request: RpcRequest): readonly EraStep[] {
    const call: OpenCall = {
      first: request,
      current: request,
      rounds: 0,
      questions: new Map(),
      response: undefined,
      handle: undefined,
      parkedAt: 0,
    };
    this.#open.set(request.id, call);
    this.#current.set(request.id, call);
    return [requestTo('server', request.id, request.method, withoutEnvelope(request.params))];
  }

  /** The client comes back with answers. A handle is good for one round. */
  comeBack(request: RpcRequest, handle: string, answers: Fields): readonly EraStep[] {
    const call = this.#parked.get(handle);
    if (call === undefined) {
      const message = 'The call that this requestState belongs to no longer waits';
      return [failTo('client', request.id, { code: rpcCodes.invalidParams, message })];
    }
    this.#parked.delete(handle);
    call.handle = undefined;
    call.current = request;
    this.#current.set(request.id, call);
    const answered = this.#deliver(call, answers);
    if (call.response !== undefined) return [...answered, ...this.#finish(call, call.response)];
    return call.questions.size === 0 ? answered : [...answered, ...this.#park(call)];
  }

  /** Puts a question of the server to the client, or declines it. */
  ask(question: ServerQuestion): readonly EraStep[] {
    const call = this.#onlyCall();
    const why = call === undefined ? 'it is not certain which call it belongs to' : faultOf(call, question);
    if (call === undefined || why !== undefined) return declined(question, why ?? '');
    this.#asked += 1;
    call.questions.set(`question-${this.#asked}`, question);
    return call.current === undefined ? [] : this.#park(call);
  }

  /** The server no longer wants an answer. */
  withdraw(id: unknown): void {
    for (const { questions } of this.#open.values()) {
      for (const [key, question] of questions) if (question.id === id) questions.delete(key);
    }
  }

  /** Takes a response of the server; `undefined` if no request waits for it. */
  settle(response: RpcResponse): readonly EraStep[] | undefined {
    const call = this.#open.get(response.id);
    if (call === undefined) return undefined;
    this.#open.delete(response.id);
    if (call.current !== undefined) return this.#finish(call, response);
    call.response = response;
    call.questions.clear();
    return [];
  }

  cancel(id: unknown, reason: unknown): readonly EraStep[] {
    const call = this.#current.get(id as RpcId);
    return call === undefined ? [] : this.#giveUp(call, reason);
  }

  /** Returns the progress of a call that the client waits for, under the token that it knows. */
  progress(params: Fields): Fields | undefined {
    const { progressToken } = params;
    for (const { first, current } of this.#current.values()) {
      const token = tokenOf(current);
      if (progressToken !== undefined && tokenOf(first) === progressToken && token !== undefined) {
        return token === progressToken ? params : { ...params, progressToken: token };
      }
    }
    return undefined;
  }

  /** Whether a request that the client waits for wants a log message of this level. */
  wantsLog(isWanted: (level: string) => boolean): boolean {
    for (const { current } of this.#current.values()) {
      const level = readEnvelope(current?.params)?.logLevel;
      if (level !== undefined && isWanted(level)) return true;
    }
    return false;
  }

  expire(): readonly EraStep[] {
    const since = this.#now() - longestWait;
    const late = [...this.#parked.values()].filter(({ parkedAt }) => parkedAt <= since);
    return late.flatMap((call) => this.#tooLate(call));
  }

  clear(): void {
    for (const map of [this.#open, this.#current, this.#parked]) map.clear();
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #onlyCall(): OpenCall | undefined {
    const [call] = this.#open.values();
    if (call === undefined || this.#open.size !== 1) return undefined;
    return crossingOf('newerClient', 'client', call.first.method) === 'call' ? call : undefined;
  }

  #park(call: OpenCall): readonly EraStep[] {
    const { current } = call;
    if (current === undefined) return [];
    call.rounds += 1;
    const handle = this.#options.newId();
    Object.assign(call, { handle, current: undefined, parkedAt: this.#now() });
    this.#current.delete(current.id);
    this.#parked.set(handle, call);
    const inputRequests = Object.fromEntries(
      [...call.questions].map(([key, { method, params }]) => [key, { method, ...questionParams(params) }]),
    );
    const state = { kind: 'parked', handle } as const;
    return [askInRound(current, { inputRequests, state }, this.#options.requestState)];
  }

  /** Hands the client's answers to the server. Questions without an answer stay, and are put again. */
  #deliver(call: OpenCall, answers: Fields): readonly EraStep[] {
    const given = [...call.questions].filter(([key]) => isFields(answers[key]));
    for (const [key] of given) call.questions.delete(key);
    const steps = given.map(([key, { id }]) => answerTo('server', id, fieldsOf(answers[key])));
    if (call.rounds < mostRounds) return steps;
    const left = [...call.questions.values()];
    call.questions.clear();
    return [...steps, ...left.flatMap((question) => declined(question, tooOften))];
  }

  #finish(call: OpenCall, response: RpcResponse): readonly EraStep[] {
    const { current, first } = call;
    this.#forget(call);
    if (current === undefined) return [];
    const { id } = current;
    if (!('error' in response)) {
      return [answerTo('client', id, toNewerResult(first.method, response.result, this.#serverInfo))];
    }
    const opened = this.#openUrls(current, fieldsOf(response.error));
    return [opened ?? sendTo('client', { jsonrpc: '2.0', id, error: toNewerError(response.error) })];
  }

  /** An older server refuses a call until the person opened URLs; 2026-07-28 asks for that in a round. */
  #openUrls(request: RpcRequest, { code, data }: Fields): EraStep | undefined {
    const { elicitations } = fieldsOf(data);
    const { elicitation } = readEnvelope(request.params)?.capabilities ?? {};
    if (code !== rpcCodes.urlRequired || !Array.isArray(elicitations)) return undefined;
    if (!isFields(fieldsOf(elicitation)['url']) || elicitations.length > mostQuestions) return undefined;
    const inputRequests = Object.fromEntries(
      elicitations.map((each: unknown, index) => [
        `url-${index + 1}`,
        { method: 'elicitation/create', ...questionParams({ mode: 'url', ...fieldsOf(each) }) },
      ]),
    );
    return askInRound(request, { inputRequests, state: { kind: 'again' } }, this.#options.requestState);
  }

  #tooLate(call: OpenCall): readonly EraStep[] {
    const why = 'the client did not answer';
    const questions = [...call.questions.values()].flatMap((question) => declined(question, why));
    const expired = noteThat('expired', 'client', call.first.method, 'it did not come back with answers');
    return [...questions, ...this.#giveUp(call, why), expired];
  }

  #giveUp(call: OpenCall, reason: unknown): readonly EraStep[] {
    this.#forget(call);
    const requestId = call.first.id;
    const why = typeof reason === 'string' ? { reason } : {};
    return [notifyTo('server', 'notifications/cancelled', { requestId, ...why })];
  }

  #forget({ first, current, handle }: OpenCall): void {
    this.#open.delete(first.id);
    if (current !== undefined) this.#current.delete(current.id);
    if (handle !== undefined) this.#parked.delete(handle);
  }
}

const tooOften = `the server asked more than ${mostRounds} times`;

/** Returns why the client of a call cannot be asked, as the end of a sentence. */
function faultOf(call: OpenCall, { method, params }: ServerQuestion): string | undefined {
  if (call.rounds >= mostRounds) return tooOften;
  if (call.questions.size >= mostQuestions) return `more than ${mostQuestions} questions wait`;
  const name = capabilityOf[method] ?? '';
  const capability = readEnvelope((call.current ?? call.first).params)?.capabilities[name];
  if (!isFields(capability)) return `the client did not declare ${name}`;
  const isUrl = params?.['mode'] === 'url';
  return isUrl && !isFields(capability['url']) ? 'the client did not declare URLs' : undefined;
}

/** A person who was not asked has not agreed; a model that was not asked has no answer. */
function declined({ id, method }: ServerQuestion, why: string): readonly EraStep[] {
  const answer =
    method === 'elicitation/create'
      ? answerTo('server', id, { action: 'cancel' })
      : failTo('server', id, { code: rpcCodes.internal, message: `The client was not asked: ${why}` });
  return [answer, noteThat('declined', 'server', method, why)];
}

/** Questions of 2026-07-28 have no task, no id of their own and no metadata of a connection. */
function questionParams(params: Fields | undefined): Fields {
  if (params === undefined) return {};
  const { task: _task, elicitationId: _id, ...rest } = withoutEnvelope(params);
  return { params: rest };
}

function tokenOf(request: RpcRequest | undefined): unknown {
  return fieldsOf(request?.params?.['_meta'])['progressToken'];
}
