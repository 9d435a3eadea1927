import { fieldsOf, isFields } from '../../base/fields.ts';
import {
  isNotification,
  isRequest,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
} from '../../http/exchange/json-rpc.ts';
import { withOlderRevision } from './opening.ts';
import {
  answerTo,
  type EraTranslator,
  notifyTo,
  passTo,
  refuseMethod,
  requestTo,
  type ListedRoot,
  sendTo,
  type EraStep,
  type TranslatorOptions,
} from './step.ts';

/**
 * Two ends that begin with `initialize`. Everything passes as it is but roots, which are the gateway's: it declares
 * them, answers `roots/list`, and keeps `list_changed` to itself.
 */
export class OlderPairTranslator implements EraTranslator {
  readonly #options: TranslatorOptions;
  readonly #rootsQuestions = new Map<string, RpcId>();
  readonly #subscribed = new Set<string>();
  /** Requests of the gateway at the server; nothing waits for their responses. */
  readonly #own = new Set<RpcId>();
  #logLevel: unknown;

  constructor(options: TranslatorOptions) {
    this.#options = options;
  }

  fromClient(message: RpcMessage): readonly EraStep[] {
    if (isNotification(message) && message.method === 'notifications/roots/list_changed') {
      return [{ kind: 'roots-changed' }];
    }
    if (!isRequest(message)) return [passTo('server', message)];
    this.#remember(message);
    const changed = message.method === 'initialize' ? this.#withRoots(withOlderRevision(message)) : message;
    return [changed === message ? passTo('server', message) : sendTo('server', changed)];
  }

  fromServer(message: RpcMessage): readonly EraStep[] {
    if (isRequest(message) && message.method === 'roots/list') return this.#askedForRoots(message);
    if (!('method' in message) && this.#own.delete(message.id)) return [];
    return [passTo('client', message)];
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
    this.#rootsQuestions.clear();
    this.#own.clear();
    const level = this.#logLevel;
    return [
      ...(level === undefined ? [] : [this.#ownRequest('logging/setLevel', { level })]),
      ...[...this.#subscribed].map((uri) => this.#ownRequest('resources/subscribe', { uri })),
    ];
  }

  expire(): readonly EraStep[] {
    return [];
  }

  /** Remembers what a new process of the server has to be told. */
  #remember({ method, params }: RpcRequest): void {
    const { level, uri } = fieldsOf(params);
    if (method === 'logging/setLevel') this.#logLevel = level;
    if (typeof uri !== 'string') return;
    if (method === 'resources/subscribe') this.#subscribed.add(uri);
    if (method === 'resources/unsubscribe') this.#subscribed.delete(uri);
  }

  #withRoots(request: RpcRequest): RpcRequest {
    const capabilities = fieldsOf(request.params?.['capabilities']);
    const { roots, ...others } = capabilities;
    const isRight = this.#options.answersRoots
      ? isFields(roots) && roots['listChanged'] === true
      : roots === undefined;
    if (isRight) return request;
    const declared = this.#options.answersRoots ? { ...others, roots: { listChanged: true } } : others;
    return { ...request, params: { ...request.params, capabilities: declared } };
  }

  #askedForRoots({ id, method }: RpcRequest): readonly EraStep[] {
    if (!this.#options.answersRoots) return refuseMethod('server', id, method);
    const question = this.#options.newId();
    this.#rootsQuestions.set(question, id);
    return [{ kind: 'roots-asked', question }];
  }

  #ownRequest(method: string, params: Readonly<Record<string, unknown>>): EraStep {
    const id = this.#options.newId();
    this.#own.add(id);
    return requestTo('server', id, method, params);
  }
}
