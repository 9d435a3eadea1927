import { fieldsOf, isFields } from '../../base/fields.ts';
import {
  isNotification,
  isRequest,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from '../../http/exchange/json-rpc.ts';
import { readEnvelope } from './envelope.ts';
import { ListenRequests } from './listen-requests.ts';
import { crossingOf } from './methods.ts';
import { discoverResult, envelopeFailure, type ServerOpening } from './opening.ts';
import { ParkedCalls } from './parked-calls.ts';
import { askForRoots, openCarried, rootsSaid, withoutAnswers } from './rounds-of-client.ts';
import {
  answerTo,
  type EraTranslator,
  failTo,
  noteThat,
  notifyTo,
  passTo,
  refuseMethod,
  requestTo,
  type ListedRoot,
  rpcCodes,
  sendTo,
  type EraStep,
  type TranslatorOptions,
} from './step.ts';

/**
 * Carries messages between a client of 2026-07-28 and a server of 2024-11-05 to 2025-11-25: the client's introduction
 * is taken off each request, and the server's questions are put to the client in rounds.
 */
export class NewerClientTranslator implements EraTranslator {
  readonly #server: ServerOpening;
  readonly #options: TranslatorOptions;
  readonly #calls: ParkedCalls;
  readonly #listens: ListenRequests;
  /** Requests of the gateway at the server; nothing waits for their responses. */
  readonly #own = new Map<RpcId, string>();
  readonly #rootsQuestions = new Map<string, RpcId>();
  #logLevel: string | undefined;

  constructor(server: ServerOpening, options: TranslatorOptions) {
    this.#server = server;
    this.#options = options;
    this.#calls = new ParkedCalls(options, server.info);
    this.#listens = new ListenRequests((method) => this.#ownId(method), server.capabilities);
  }

  fromClient(message: RpcMessage): readonly EraStep[] {
    if (isRequest(message)) return this.#requested(message);
    const method = isNotification(message) ? message.method : 'response';
    if (isNotification(message) && method === 'notifications/cancelled') return this.#cancelled(message);
    return [noteThat('dropped', 'client', method, 'the server has nothing to do with it')];
  }

  fromServer(message: RpcMessage): readonly EraStep[] {
    if (isRequest(message)) return this.#asked(message);
    if (isNotification(message)) return this.#heard(message);
    const own = this.#own.get(message.id);
    if (own !== undefined) return this.#ownSettled(own, message);
    const steps = this.#calls.settle(message);
    return steps ?? [noteThat('dropped', 'server', 'response', 'no request waits for it')];
  }

  answerRoots(question: string, roots: readonly ListedRoot[]): readonly EraStep[] {
    const id = this.#rootsQuestions.get(question);
    this.#rootsQuestions.delete(question);
    return id === undefined ? [] : [answerTo('server', id, { roots })];
  }

  rootsChanged(): readonly EraStep[] {
    return this.#options.answersRoots ? [notifyTo('server', 'notifications/roots/list_changed')] : [];
  }

  resume(): readonly EraStep[] {
    this.#calls.clear();
    this.#own.clear();
    this.#rootsQuestions.clear();
    const level = this.#logLevel;
    return [...(level === undefined ? [] : [this.#setLevel(level)]), ...this.#listens.resume()];
  }

  expire(): readonly EraStep[] {
    return this.#calls.expire();
  }

  #requested(request: RpcRequest): readonly EraStep[] {
    const { id, method, params } = request;
    const failure = envelopeFailure(params);
    if (failure !== undefined) return [failTo('client', id, failure)];
    switch (crossingOf('newerClient', 'client', method)) {
      case 'carry':
        return this.#begun(request);
      case 'call':
        return this.#called(request);
      case 'here':
        return method === 'server/discover'
          ? [answerTo('client', id, discoverResult(this.#server))]
          : this.#listens.open(request);
      case 'question':
      case 'roots':
      case 'drop':
      case 'refuse':
      case undefined:
        return refuseMethod('client', id, method);
    }
  }

  #called(request: RpcRequest): readonly EraStep[] {
    const carried = openCarried(request, this.#options.requestState);
    if ('fault' in carried) {
      const failure = { code: rpcCodes.invalidParams, message: carried.fault };
      return [failTo('client', request.id, failure)];
    }
    const { state, answers } = carried;
    if (state?.kind === 'parked') return this.#calls.comeBack(request, state.handle, answers);
    if (state?.kind === 'roots') return [rootsSaid(answers), ...this.#begun(request)];
    const asked = state === undefined ? askForRoots(request, this.#options) : undefined;
    return asked === undefined ? this.#begun(request) : [asked];
  }

  #begun(request: RpcRequest): readonly EraStep[] {
    const level = readEnvelope(request.params)?.logLevel;
    const begun = this.#calls.begin(withoutAnswers(request));
    const isNew = level !== undefined && isMoreVerbose(level, this.#logLevel);
    return isNew && isFields(this.#server.capabilities['logging'])
      ? [this.#setLevel(level), ...begun]
      : begun;
  }

  /** An older server has one level for all requests: the most verbose that one asked for. */
  #setLevel(level: string): EraStep {
    this.#logLevel = level;
    return requestTo('server', this.#ownId('logging/setLevel'), 'logging/setLevel', { level });
  }

  #cancelled({ params }: RpcNotification): readonly EraStep[] {
    const { requestId, reason } = fieldsOf(params);
    return this.#listens.cancel(requestId) ?? this.#calls.cancel(requestId, reason);
  }

  #asked({ id, method, params }: RpcRequest): readonly EraStep[] {
    switch (crossingOf('newerClient', 'server', method)) {
      case 'here':
        return [answerTo('server', id, {})];
      case 'roots':
        return this.#askedForRoots(id, method);
      case 'question':
        return this.#calls.ask({ id, method, params });
      case 'carry':
      case 'call':
      case 'drop':
      case 'refuse':
      case undefined:
        return refuseMethod('server', id, method);
    }
  }

  #askedForRoots(id: RpcId, method: string): readonly EraStep[] {
    if (!this.#options.answersRoots) return refuseMethod('server', id, method);
    const question = this.#options.newId();
    this.#rootsQuestions.set(question, id);
    return [{ kind: 'roots-asked', question }];
  }

  #heard(message: RpcNotification): readonly EraStep[] {
    const { method, params } = message;
    if (crossingOf('newerClient', 'server', method) !== 'here') {
      return [noteThat('dropped', 'server', method, 'the client has no such notification')];
    }
    if (method === 'notifications/progress') return this.#progressed(message);
    if (method === 'notifications/message') return this.#logged(message);
    if (method !== 'notifications/cancelled') return this.#listens.changed(message);
    this.#calls.withdraw(params?.['requestId']);
    return [];
  }

  #progressed(message: RpcNotification): readonly EraStep[] {
    const params = this.#calls.progress(fieldsOf(message.params));
    if (params === undefined)
      return [noteThat('dropped', 'server', message.method, 'the client does not wait')];
    return [params === message.params ? passTo('client', message) : sendTo('client', { ...message, params })];
  }

  /** In 2026-07-28 a message of the log belongs to a request that wants it. */
  #logged(message: RpcNotification): readonly EraStep[] {
    const { level } = fieldsOf(message.params);
    const wanted = this.#calls.wantsLog((asked) => rankOf(level) >= rankOf(asked));
    return wanted ? [passTo('client', message)] : [];
  }

  #ownId(method: string): string {
    const id = this.#options.newId();
    this.#own.set(id, method);
    return id;
  }

  #ownSettled(method: string, response: RpcResponse): readonly EraStep[] {
    this.#own.delete(response.id);
    return 'error' in response ? [noteThat('refused', 'client', method, 'the server refused it')] : [];
  }
}

/** Levels of the log, the most verbose first. */
const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

function rankOf(level: unknown): number {
  return typeof level === 'string' ? logLevels.indexOf(level) : -1;
}

function isMoreVerbose(level: string, than: string | undefined): boolean {
  const rank = rankOf(level);
  return rank !== -1 && (than === undefined || rank < rankOf(than));
}
