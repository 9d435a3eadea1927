import { type Fields, fieldsOf } from '../../base/fields.ts';
import type { RpcId } from '../../http/exchange/json-rpc.ts';
import { type ClientIntroduction, metaNames, withEnvelope } from './envelope.ts';
import { notifyTo, requestTo, type EraStep } from './step.ts';

export interface ListeningOptions {
  readonly newId: () => string;
  readonly introduce: () => ClientIntroduction;
  /** Capabilities of the server. */
  readonly capabilities: Fields;
}

/** Lists of a server that may change, and the word for it in a filter. */
export const changingLists = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

/**
 * Listens at a server of 2026-07-28 for an older client, which is told of changes without asking. One subscription
 * is open at a time; a new one takes its place when the client subscribes to another resource.
 */
export class ClientListening {
  readonly #options: ListeningOptions;
  readonly #uris = new Set<string>();
  /** Subscriptions that are open, the newest last. */
  readonly #open = new Set<RpcId>();
  #newest: RpcId | undefined;
  #begun = false;

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  begin(): readonly EraStep[] {
    this.#begun = true;
    return this.#renew();
  }

  subscribe(uri: string): readonly EraStep[] {
    if (this.#uris.has(uri)) return [];
    this.#uris.add(uri);
    return this.#renew();
  }

  unsubscribe(uri: string): readonly EraStep[] {
    return this.#uris.delete(uri) ? this.#renew() : [];
  }

  /** The server listens: older subscriptions end now, so that no change falls between two of them. */
  acknowledge(params: unknown): readonly EraStep[] {
    const id = fieldsOf(fieldsOf(params)['_meta'])[metaNames.subscription];
    return id === this.#newest ? this.#endAllBut(this.#newest) : [];
  }

  /** Takes the end of a subscription; false if the id is not one. */
  end(id: RpcId): boolean {
    if (!this.#open.delete(id)) return false;
    if (id === this.#newest) this.#newest = undefined;
    return true;
  }

  resume(): readonly EraStep[] {
    this.#open.clear();
    this.#newest = undefined;
    return this.#renew();
  }

  #renew(): readonly EraStep[] {
    if (!this.#begun) return [];
    const notifications = this.#filter();
    if (Object.keys(notifications).length === 0) {
      this.#newest = undefined;
      return this.#endAllBut(undefined);
    }
    const id = this.#options.newId();
    this.#open.add(id);
    this.#newest = id;
    const params = withEnvelope({ notifications }, this.#options.introduce());
    return [requestTo('server', id, 'subscriptions/listen', params)];
  }

  #filter(): Fields {
    const { capabilities } = this.#options;
    const lists = Object.entries(changingLists)
      .filter(([name]) => fieldsOf(capabilities[name])['listChanged'] === true)
      .map(([, word]) => [word, true] as const);
    return {
      ...Object.fromEntries(lists),
      ...(this.#uris.size > 0 && { resourceSubscriptions: [...this.#uris] }),
    };
  }

  #endAllBut(kept: RpcId | undefined): readonly EraStep[] {
    const ended = [...this.#open].filter((id) => id !== kept);
    for (const id of ended) this.#open.delete(id);
    return ended.map((requestId) => notifyTo('server', 'notifications/cancelled', { requestId }));
  }
}
