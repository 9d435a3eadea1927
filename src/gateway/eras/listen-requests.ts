import { type Fields, fieldsOf } from '../../base/fields.ts';
import type { RpcId, RpcNotification, RpcRequest } from '../../http/exchange/json-rpc.ts';
import { metaNames, withMeta } from './envelope.ts';
import { changingLists } from './client-listening.ts';
import { toNewerResult } from './results.ts';
import { answerTo, failTo, notifyTo, requestTo, rpcCodes, sendTo, type EraStep } from './step.ts';

/** The part of a filter that the server can satisfy. */
interface HonouredFilter {
  readonly lists: readonly string[];
  readonly uris: readonly string[];
}

/** The most subscriptions of one client. */
const mostListens = 256;

/**
 * Subscriptions of a client of 2026-07-28 at an older server, which sends changes of lists to every client, and those
 * of a resource to a client that subscribed to it.
 */
export class ListenRequests {
  /** Makes the id for a request of the gateway. */
  readonly #newId: (method: string) => string;
  readonly #capabilities: Fields;
  readonly #listens = new Map<RpcId, HonouredFilter>();

  constructor(newId: (method: string) => string, capabilities: Fields) {
    this.#newId = newId;
    this.#capabilities = capabilities;
  }

  /** Acknowledges the part that the server offers. Where that is nothing, the subscription ends at once. */
  open({ id, params }: RpcRequest): readonly EraStep[] {
    if (this.#listens.size >= mostListens) {
      return [failTo('client', id, { code: rpcCodes.internal, message: 'Too many subscriptions are open' })];
    }
    const honoured = this.#honoured(fieldsOf(params?.['notifications']));
    const { lists, uris } = honoured;
    const notifications = {
      ...Object.fromEntries(lists.map((word) => [word, true])),
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
    };
    const told = withMeta({ notifications }, metaNames.subscription, id);
    const acknowledged = notifyTo('client', 'notifications/subscriptions/acknowledged', told);
    if (lists.length + uris.length === 0) return [acknowledged, this.#ended(id)];
    const before = this.#uris();
    this.#listens.set(id, honoured);
    const added = uris.filter((uri) => !before.has(uri));
    return [acknowledged, ...this.#tell('resources/subscribe', added)];
  }

  /** The client ends a subscription; `undefined` if the id is not one. */
  cancel(id: unknown): readonly EraStep[] | undefined {
    const ended = this.#listens.get(id as RpcId);
    if (ended === undefined) return undefined;
    this.#listens.delete(id as RpcId);
    const left = this.#uris();
    return this.#tell(
      'resources/unsubscribe',
      ended.uris.filter((uri) => !left.has(uri)),
    );
  }

  /** Tags a change of the server for each subscription that wants it. */
  changed({ method, params }: RpcNotification): readonly EraStep[] {
    const [, name = ''] = /^notifications\/(\w+)\/list_changed$/.exec(method) ?? [];
    const word = Object.entries(changingLists).find(([list]) => list === name)?.[1];
    const uri = params?.['uri'];
    const wants = ({ lists, uris }: HonouredFilter): boolean =>
      word === undefined ? typeof uri === 'string' && uris.includes(uri) : lists.includes(word);
    return [...this.#listens]
      .filter(([, filter]) => wants(filter))
      .map(([id]) => sendTo('client', tagged(method, params, id)));
  }

  /** Subscribes again at a new process of the server. */
  resume(): readonly EraStep[] {
    return this.#tell('resources/subscribe', [...this.#uris()]);
  }

  #honoured(filter: Fields): HonouredFilter {
    const lists = Object.entries(changingLists)
      .filter(([name, word]) => filter[word] === true && this.#offers(name, 'listChanged'))
      .map(([, word]) => word);
    const { resourceSubscriptions: uris } = filter;
    const offered = Array.isArray(uris) && this.#offers('resources', 'subscribe') ? uris : [];
    return { lists, uris: offered.filter((uri): uri is string => typeof uri === 'string') };
  }

  #offers(name: string, feature: string): boolean {
    return fieldsOf(this.#capabilities[name])[feature] === true;
  }

  #uris(): ReadonlySet<string> {
    return new Set([...this.#listens.values()].flatMap(({ uris }) => uris));
  }

  #tell(method: string, uris: readonly string[]): readonly EraStep[] {
    return uris.map((uri) => requestTo('server', this.#newId(method), method, { uri }));
  }

  #ended(id: RpcId): EraStep {
    const result = toNewerResult('subscriptions/listen', {});
    return answerTo('client', id, withMeta(result, metaNames.subscription, id));
  }
}

function tagged(method: string, params: Fields | undefined, id: RpcId): RpcNotification {
  return { jsonrpc: '2.0', method, params: withMeta(params, metaNames.subscription, id) };
}
