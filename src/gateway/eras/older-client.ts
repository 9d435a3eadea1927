import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import {
  isNotification,
  isRequest,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
} from '../../http/exchange/json-rpc.ts';
import { DrivenCalls } from './driven-calls.ts';
import { type ClientIntroduction, withoutEnvelope } from './envelope.ts';
import { ClientListening } from './client-listening.ts';
import { crossingOf } from './methods.ts';
import { type ClientOpening, initializeResult, type ServerOpening } from './opening.ts';
import { sharedCapabilities } from './results.ts';
import {
  answerTo,
  type EraTranslator,
  noteThat,
  passTo,
  refuseMethod,
  type ListedRoot,
  sendTo,
  type EraStep,
  type TranslatorOptions,
} from './step.ts';

/**
 * Carries messages between a client of 2024-11-05 to 2025-11-25 and a server of 2026-07-28: the handshake is answered
 * here, each request introduces the client, and the server's questions become requests to the client.
 */
export class OlderClientTranslator implements EraTranslator {
  readonly #server: ServerOpening;
  readonly #client: ClientIntroduction;
  readonly #calls: DrivenCalls;
  readonly #listening: ClientListening;
  #logLevel: string | undefined;

  constructor(client: ClientOpening, server: ServerOpening, { newId, answersRoots }: TranslatorOptions) {
    const introduce = (): ClientIntroduction => ({ ...this.#client, logLevel: this.#logLevel });
    this.#server = server;
    this.#client = {
      info: client.info,
      capabilities: askableCapabilities(client.capabilities, answersRoots),
    };
    this.#calls = new DrivenCalls({ newId, introduce });
    this.#listening = new ClientListening({ newId, introduce, capabilities: server.capabilities });
  }

  fromClient(message: RpcMessage): readonly EraStep[] {
    if (isRequest(message)) return this.#requested(message);
    if (isNotification(message)) return this.#told(message);
    const steps = this.#calls.answer(message);
    return steps ?? [noteThat('dropped', 'client', 'response', 'no question waits for it')];
  }

  fromServer(message: RpcMessage): readonly EraStep[] {
    if (isRequest(message)) return refuseMethod('server', message.id, message.method);
    if (isNotification(message)) return this.#heard(message);
    if (this.#listening.end(message.id)) return [];
    return this.#calls.settle(message);
  }

  answerRoots(question: string, roots: readonly ListedRoot[]): readonly EraStep[] {
    return this.#calls.answer({ jsonrpc: '2.0', id: question, result: { roots } }) ?? [];
  }

  /** A server of 2026-07-28 asks for roots in each call; there is no notification. */
  rootsChanged(): readonly EraStep[] {
    return [];
  }

  resume(): readonly EraStep[] {
    this.#calls.clear();
    return this.#listening.resume();
  }

  expire(): readonly EraStep[] {
    return [];
  }

  #requested(request: RpcRequest): readonly EraStep[] {
    const crossing = crossingOf('olderClient', 'client', request.method);
    if (crossing === 'carry' || crossing === 'call') return this.#calls.begin(withoutTask(request));
    if (crossing !== 'here') return refuseMethod('client', request.id, request.method);
    return this.#answered(request);
  }

  /** Answers a request that a server of 2026-07-28 does not know. */
  #answered(request: RpcRequest): readonly EraStep[] {
    const { id, method, params } = request;
    if (method === 'initialize') return [answerTo('client', id, initializeResult(request, this.#server))];
    const { level, uri } = fieldsOf(params);
    if (method === 'logging/setLevel' && typeof level === 'string') this.#logLevel = level;
    const renewed = typeof uri === 'string' ? this.#renewed(method, uri) : [];
    return [answerTo('client', id, {}), ...renewed];
  }

  #renewed(method: string, uri: string): readonly EraStep[] {
    if (method === 'resources/subscribe') return this.#listening.subscribe(uri);
    return method === 'resources/unsubscribe' ? this.#listening.unsubscribe(uri) : [];
  }

  #told({ method, params }: RpcNotification): readonly EraStep[] {
    const crossing = crossingOf('olderClient', 'client', method);
    if (crossing === 'roots') return [{ kind: 'roots-changed' }];
    if (method === 'notifications/initialized') return this.#listening.begin();
    if (method === 'notifications/cancelled') {
      return this.#calls.cancel(params?.['requestId'], params?.['reason']);
    }
    return [noteThat('dropped', 'client', method, 'the server has no such notification')];
  }

  #heard(message: RpcNotification): readonly EraStep[] {
    const { method, params } = message;
    const crossing = crossingOf('olderClient', 'server', method);
    if (crossing === 'carry') return [carryNews(message)];
    if (method === 'notifications/subscriptions/acknowledged') return this.#listening.acknowledge(params);
    if (method === 'notifications/cancelled') return this.#cancelled(params?.['requestId']);
    if (method === 'notifications/progress' && this.#calls.hasToken(params?.['progressToken'])) {
      return [carryNews(message)];
    }
    return [noteThat('dropped', 'server', method, 'the client does not wait for it')];
  }

  /** In 2026-07-28 a server cancels nothing but a subscription. */
  #cancelled(id: unknown): readonly EraStep[] {
    if (typeof id === 'string' && this.#listening.end(id)) return [];
    return [noteThat('dropped', 'server', 'notifications/cancelled', 'it names no subscription')];
  }
}

/** Capabilities that a server of 2026-07-28 can use through the gateway. It cannot send an older client to a URL. */
function askableCapabilities(capabilities: Fields, answersRoots: boolean): Fields {
  const { roots: _roots, elicitation, ...rest } = sharedCapabilities(capabilities);
  const { url: _url, ...forms } = fieldsOf(elicitation);
  return {
    ...rest,
    ...(isFields(elicitation) && { elicitation: forms }),
    ...(answersRoots && { roots: {} }),
  };
}

/** Tasks are of 2025-11-25 alone: the call is made without one. */
function withoutTask(request: RpcRequest): RpcRequest {
  if (request.params?.['task'] === undefined) return request;
  const { task: _task, ...params } = request.params;
  return { ...request, params };
}

function carryNews(message: RpcNotification): EraStep {
  const { params } = message;
  if (params?.['_meta'] === undefined) return passTo('client', message);
  return sendTo('client', { ...message, params: withoutEnvelope(params) });
}
