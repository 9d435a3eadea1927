import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import {
  isNotification,
  isRequest,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from '../../http/exchange/json-rpc.ts';
import { mostRounds } from './driven-calls.ts';
import { metaNames, readEnvelope, withCapability } from './envelope.ts';
import { crossingOf } from './methods.ts';
import { askInRound, askForRoots, openCarried, rootsSaid, withoutAnswers } from './rounds-of-client.ts';
import {
  type EraTranslator,
  failTo,
  noteThat,
  notifyTo,
  passTo,
  requestTo,
  type ListedRoot,
  rpcCodes,
  sendTo,
  type EraStep,
  type TranslatorOptions,
} from './step.ts';

/** A call that the server works on. */
interface SharedCall {
  /** The request of the client, without roots of the gateway. */
  readonly request: RpcRequest;
  readonly rounds: number;
}

/** A request that waits for roots before it goes to the server. */
interface HeldRequest extends SharedCall {
  readonly keys: readonly string[];
  /** The id under which it goes to the server. */
  readonly leg: RpcId;
}

/**
 * Two ends of 2026-07-28. Everything passes as it is but roots: the gateway declares them in each call, and answers
 * the question for them itself. The client sees the other questions of the same round alone.
 */
export class NewerPairTranslator implements EraTranslator {
  readonly #options: TranslatorOptions;
  readonly #calls = new Map<RpcId, SharedCall>();
  readonly #held = new Map<string, HeldRequest>();
  readonly #listens = new Map<RpcId, RpcRequest>();
  /** Subscriptions that were asked for again: the client knows them, so their acknowledgement is not passed. */
  readonly #renewed = new Set<RpcId>();

  constructor(options: TranslatorOptions) {
    this.#options = options;
  }

  fromClient(message: RpcMessage): readonly EraStep[] {
    if (isNotification(message) && message.method === 'notifications/cancelled') {
      return [this.#cancelled(message, message.params?.['requestId'])];
    }
    if (!isRequest(message)) return [passTo('server', message)];
    if (message.method === 'subscriptions/listen') this.#listens.set(message.id, message);
    const isCall = crossingOf('newerClient', 'client', message.method) === 'call';
    return isCall ? this.#called(message) : [passTo('server', message)];
  }

  fromServer(message: RpcMessage): readonly EraStep[] {
    if (isNotification(message)) return this.#isKnown(message) ? [] : [passTo('client', message)];
    if (isRequest(message)) return [passTo('client', message)];
    return this.#settled(message);
  }

  answerRoots(question: string, roots: readonly ListedRoot[]): readonly EraStep[] {
    const held = this.#held.get(question);
    if (held === undefined) return [];
    this.#held.delete(question);
    const { request, leg, keys, rounds } = held;
    const { inputResponses } = fieldsOf(request.params);
    const answers = {
      ...fieldsOf(inputResponses),
      ...Object.fromEntries(keys.map((key) => [key, { roots }])),
    };
    this.#calls.set(leg, { request, rounds });
    const params = this.#declared({ ...request.params, inputResponses: answers });
    return [requestTo('server', leg, request.method, params)];
  }

  rootsChanged(): readonly EraStep[] {
    return [];
  }

  resume(): readonly EraStep[] {
    this.#calls.clear();
    this.#held.clear();
    for (const id of this.#listens.keys()) this.#renewed.add(id);
    return [...this.#listens.values()].map((request) => sendTo('server', request));
  }

  expire(): readonly EraStep[] {
    return [];
  }

  #called(message: RpcRequest): readonly EraStep[] {
    const carried = openCarried(message, this.#options.requestState);
    if ('fault' in carried) {
      const failure = { code: rpcCodes.invalidParams, message: carried.fault };
      return [failTo('client', message.id, failure)];
    }
    const { state, answers } = carried;
    if (state?.kind === 'shared') return this.#cameBack(message, state.keys, state.state);
    if (state?.kind === 'roots') return [rootsSaid(answers), this.#begun(withoutAnswers(message))];
    const isFirst = message.params?.['requestState'] === undefined && Object.keys(answers).length === 0;
    const asked = isFirst ? askForRoots(message, this.#options) : undefined;
    return [asked ?? this.#begun(message)];
  }

  #begun(request: RpcRequest): EraStep {
    this.#calls.set(request.id, { request, rounds: 0 });
    const params = this.#declared(request.params);
    return params === request.params ? passTo('server', request) : sendTo('server', { ...request, params });
  }

  /** Declares roots in a request, unless the client did so itself. */
  #declared(params: Fields | undefined): Fields | undefined {
    const envelope = readEnvelope(params);
    if (envelope === undefined || !this.#options.answersRoots) return params;
    return isFields(envelope.capabilities['roots']) ? params : withCapability(params, 'roots');
  }

  /** The client answered the other questions of a round: roots are added, and the server gets its own state back. */
  #cameBack(message: RpcRequest, keys: readonly string[], state: string | undefined): readonly EraStep[] {
    const { requestState: _sealed, ...params } = fieldsOf(message.params);
    const request = { ...message, params: state === undefined ? params : { ...params, requestState: state } };
    return [this.#hold({ request, keys, leg: message.id, rounds: 0 })];
  }

  #hold(held: HeldRequest): EraStep {
    const question = this.#options.newId();
    this.#held.set(question, held);
    return { kind: 'roots-asked', question };
  }

  #settled(response: RpcResponse): readonly EraStep[] {
    this.#listens.delete(response.id);
    const call = this.#calls.get(response.id);
    if (call === undefined) return [passTo('client', response)];
    this.#calls.delete(response.id);
    const { id } = call.request;
    const asked = 'result' in response ? this.#asked(call, fieldsOf(response.result)) : undefined;
    if (asked !== undefined) return asked;
    return [response.id === id ? passTo('client', response) : sendTo('client', { ...response, id })];
  }

  /** Takes the questions for roots out of a round; `undefined` if there are none. */
  #asked(call: SharedCall, result: Fields): readonly EraStep[] | undefined {
    if (result['resultType'] !== 'input_required' || !this.#options.answersRoots) return undefined;
    const questions = Object.entries(fieldsOf(result['inputRequests']));
    const isRoots = ([, question]: [string, unknown]): boolean =>
      fieldsOf(question)['method'] === 'roots/list';
    const keys = questions.filter(isRoots).map(([key]) => key);
    if (keys.length === 0) return undefined;
    const others = questions.filter((each) => !isRoots(each));
    const { requestState } = result;
    const state = typeof requestState === 'string' ? { state: requestState } : {};
    if (others.length === 0) return this.#again(call, keys, state.state);
    const asked = {
      inputRequests: Object.fromEntries(others),
      state: { kind: 'shared', keys, ...state },
    } as const;
    return [askInRound(call.request, asked, this.#options.requestState)];
  }

  /** Sends a call again that asked for roots alone. The client does not notice. */
  #again({ request, rounds }: SharedCall, keys: readonly string[], state?: string): readonly EraStep[] {
    if (rounds >= mostRounds) {
      const message = `The call cannot be completed: the server asked for roots more than ${mostRounds} times`;
      return [
        failTo('client', request.id, { code: rpcCodes.internal, message }),
        noteThat('declined', 'server', request.method, 'the server asks for roots again and again'),
      ];
    }
    const { params } = withoutAnswers(request);
    const next = { ...request, params: state === undefined ? params : { ...params, requestState: state } };
    return [this.#hold({ request: next, keys, leg: this.#options.newId(), rounds: rounds + 1 })];
  }

  #cancelled(message: RpcMessage, id: unknown): EraStep {
    this.#listens.delete(id as RpcId);
    const [leg] = [...this.#calls].find(([, { request }]) => request.id === id) ?? [];
    if (leg === undefined || leg === id) return passTo('server', message);
    return notifyTo('server', 'notifications/cancelled', { requestId: leg });
  }

  #isKnown({ method, params }: RpcNotification): boolean {
    if (method !== 'notifications/subscriptions/acknowledged') return false;
    const id = fieldsOf(params?.['_meta'])[metaNames.subscription];
    return this.#renewed.delete(id as RpcId);
  }
}
