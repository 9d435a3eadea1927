import {
  isNotification,
  isRequest,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
} from '../../http/exchange/json-rpc.ts';
import type { Fields } from '../../base/fields.ts';
import { NewerClientTranslator } from './newer-client.ts';
import { NewerPairTranslator } from './newer-pair.ts';
import { OlderClientTranslator } from './older-client.ts';
import { OlderPairTranslator } from './older-pair.ts';
import {
  type ClientOpening,
  discoverRequest,
  initializeRequest,
  isInitialize,
  readClientOpening,
  readDiscovery,
  readInitialized,
  refusesHandshake,
  type ServerOpening,
} from './opening.ts';
import { sharedCapabilities } from './results.ts';
import {
  answerTo,
  type EraTranslator,
  failTo,
  noteThat,
  notifyTo,
  passTo,
  refuseMethod,
  type ListedRoot,
  rpcCodes,
  sendTo,
  type EraStep,
  type TranslatorOptions,
} from './step.ts';

/** The most messages of a client that wait while the era of its server is found out. */
const mostHeld = 64;

/**
 * Where a connection stands: before the first message; while the server answers `server/discover`, `initialize` in
 * the name of a newer client, or `initialize` after a restart; open.
 */
type Phase = 'unopened' | 'probing' | 'greeting' | 'replaying' | 'open';

/**
 * Carries the messages of one connection, from the first one on. The first message shows the client's era; the
 * server's is found out by its answer. It does nothing but return steps: the relay owns both streams and the process.
 */
export class ConnectionTranslator {
  readonly #options: TranslatorOptions;
  #phase: Phase = 'unopened';
  #client: ClientOpening | undefined;
  #inner: EraTranslator | undefined;
  /** The `initialize` that an older server got. */
  #greeting: RpcRequest | undefined;
  /** The id of the client's `initialize`, until it is answered. */
  #initializeId: RpcId | undefined;
  /** The id of the gateway's own request that the phase waits for. */
  #ownId: RpcId | undefined;
  #held: RpcMessage[] = [];

  constructor(options: TranslatorOptions) {
    this.#options = options;
  }

  fromClient(message: RpcMessage): readonly EraStep[] {
    if (this.#phase === 'unopened') return this.#open(message);
    if (this.#phase !== 'open') return this.#hold(message);
    return this.#inner?.fromClient(message) ?? [];
  }

  fromServer(message: RpcMessage): readonly EraStep[] {
    if (this.#phase === 'open') return this.#heard(message);
    if (this.#phase === 'unopened') return [passTo('client', message)];
    if ('method' in message) return droppedEarly(message);
    if (message.id !== this.#ownId) return [];
    switch (this.#phase) {
      case 'probing':
        return this.#probed(readDiscovery(message));
      case 'greeting':
        return this.#greeted(readInitialized(message));
      case 'replaying':
        return [notifyTo('server', 'notifications/initialized'), ...this.#resumed()];
    }
  }

  answerRoots(question: string, roots: readonly ListedRoot[]): readonly EraStep[] {
    return this.#inner?.answerRoots(question, roots) ?? [];
  }

  rootsChanged(): readonly EraStep[] {
    return this.#phase === 'open' ? (this.#inner?.rootsChanged() ?? []) : [];
  }

  expire(): readonly EraStep[] {
    return this.#inner?.expire() ?? [];
  }

  /** The server did not answer a step `probe` in time, or ended instead: it is an older one. */
  serverSilent(): readonly EraStep[] {
    return this.#phase === 'probing' ? this.#probed(undefined) : [];
  }

  /** A new process of the server runs, after a restart that the relay decided on. */
  restarted(): readonly EraStep[] {
    if (this.#phase !== 'open') return [];
    if (this.#greeting === undefined) return this.#inner?.resume() ?? [];
    this.#phase = 'replaying';
    return [sendTo('server', { ...this.#greeting, id: this.#newOwnId() })];
  }

  #open(message: RpcMessage): readonly EraStep[] {
    const opening = readClientOpening(message);
    if ('failure' in opening) {
      return isRequest(message) ? [failTo('client', message.id, opening.failure)] : [];
    }
    if (opening.handshake && !isInitialize(message)) return [passTo('server', message)];
    this.#client = opening;
    return isInitialize(message) ? this.#openOlder(message) : this.#probe([message]);
  }

  /** An older client is taken at its word: most servers know `initialize`. */
  #openOlder(message: RpcRequest): readonly EraStep[] {
    this.#phase = 'open';
    this.#inner = new OlderPairTranslator(this.#options);
    const steps = this.#inner.fromClient(message);
    this.#initializeId = message.id;
    this.#held = [message];
    for (const step of steps) {
      if ('message' in step && isInitialize(step.message)) this.#greeting = step.message;
    }
    return steps;
  }

  #heard(message: RpcMessage): readonly EraStep[] {
    const isAnswer = !('method' in message) && message.id === this.#initializeId;
    if (isAnswer) {
      const [initialize] = this.#held;
      this.#initializeId = undefined;
      this.#held = [];
      if (refusesHandshake(message) && initialize !== undefined) {
        return [{ kind: 'fresh-server' }, ...this.#probe([initialize])];
      }
    }
    return this.#inner?.fromServer(message) ?? [];
  }

  #probe(held: RpcMessage[]): readonly EraStep[] {
    this.#phase = 'probing';
    this.#greeting = undefined;
    this.#held = held;
    const request = discoverRequest(this.#newOwnId(), this.#spokenFor());
    return [sendTo('server', request), { kind: 'probe' }];
  }

  #probed(server: ServerOpening | undefined): readonly EraStep[] {
    const client = this.#spokenFor();
    if (server === undefined) return client.handshake ? this.#failHeld() : this.#greet(client);
    this.#inner = client.handshake
      ? new OlderClientTranslator(client, server, this.#options)
      : new NewerPairTranslator(this.#options);
    return this.#released();
  }

  #greet(client: ClientOpening): readonly EraStep[] {
    this.#phase = 'greeting';
    this.#greeting = initializeRequest(this.#newOwnId(), client);
    return [{ kind: 'fresh-server' }, sendTo('server', this.#greeting)];
  }

  #greeted(server: ServerOpening | undefined): readonly EraStep[] {
    if (server === undefined) return this.#failHeld();
    this.#inner = new NewerClientTranslator(server, this.#options);
    return [notifyTo('server', 'notifications/initialized'), ...this.#released()];
  }

  #resumed(): readonly EraStep[] {
    return [...(this.#inner?.resume() ?? []), ...this.#released()];
  }

  #released(): readonly EraStep[] {
    const held = this.#held;
    this.#held = [];
    this.#phase = 'open';
    return held.flatMap((message) => this.#inner?.fromClient(message) ?? []);
  }

  #hold(message: RpcMessage): readonly EraStep[] {
    if (isNotification(message) && message.method === 'notifications/cancelled') {
      const { requestId } = message.params ?? {};
      this.#held = this.#held.filter((each) => !isRequest(each) || each.id !== requestId);
      return [];
    }
    if (this.#held.length < mostHeld) this.#held.push(message);
    else if (isRequest(message))
      return [
        failTo('client', message.id, { code: rpcCodes.internal, message: 'The server is still starting' }),
      ];
    return [];
  }

  #failHeld(): readonly EraStep[] {
    const held = this.#held.filter(isRequest);
    this.#held = [];
    this.#phase = 'unopened';
    const failure = {
      code: rpcCodes.internal,
      message: 'The server speaks no known revision of the protocol',
    };
    return held.map(({ id }) => failTo('client', id, failure));
  }

  /** The client as the gateway introduces it, with roots if the gateway answers for them. */
  #spokenFor(): ClientOpening {
    const { handshake = false, capabilities = {}, info } = this.#client ?? {};
    const { roots: _roots, ...others }: Fields = sharedCapabilities(capabilities);
    const roots = handshake ? {} : { listChanged: true };
    return { handshake, info, capabilities: this.#options.answersRoots ? { ...others, roots } : others };
  }

  #newOwnId(): RpcId {
    const id = this.#options.newId();
    this.#ownId = id;
    return id;
  }
}

/** A server may ask nothing before the connection is open, but for `ping`. */
function droppedEarly(message: RpcMessage & { readonly method: string }): readonly EraStep[] {
  if (isRequest(message)) {
    return message.method === 'ping'
      ? [answerTo('server', message.id, {})]
      : refuseMethod('server', message.id, message.method);
  }
  return [noteThat('dropped', 'server', message.method, 'the connection is not open yet')];
}
