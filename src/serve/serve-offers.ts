import type { RpcRequest } from '../http/exchange/json-rpc.ts';
import { ownTools } from '../server/call/own-tools.ts';
import type { KitOptions } from './kit/kit.ts';
import type { FollowedStore } from './follow-store.ts';

/** The tools of a server, and which of them are listed. */
export type Offers = Pick<KitOptions, 'tools' | 'offers'>;

/** Says of a call whether it only looks: made twice it does no harm. */
export function onlyLooks({ tools }: Offers): (call: RpcRequest) => boolean {
  const all = [...tools, ...Object.values(ownTools)];
  const looking = new Set<unknown>(
    all.filter(({ annotations }) => annotations['readOnlyHint'] === true).map(({ name }) => name),
  );
  return ({ params }) => looking.has(params?.['name']);
}

export interface OffersWatch {
  readonly store: Pick<FollowedStore, 'operator'>;
  /** Whether anybody wants to know. */
  readonly wanted: () => boolean;
  readonly changed: () => void;
  /** Milliseconds between two looks; 1,000 by default. */
  readonly every?: number;
}

/** Tells when a store made the list of tools another one. Looks only while somebody wants to know. */
export function watchOffers(
  offers: Offers,
  { store, wanted, changed, every = 1_000 }: OffersWatch,
): Disposable {
  let last = namesIn(offers);
  let looking = false;
  const look = async (): Promise<void> => {
    // Hears what the person changed meanwhile.
    await store.operator();
    const now = namesIn(offers);
    if (now !== last) changed();
    last = now;
  };
  const timer = setInterval(() => {
    if (looking || !wanted()) return;
    looking = true;
    // A store that cannot be read is told to whoever calls.
    look()
      .catch(() => undefined)
      .finally(() => (looking = false));
  }, every);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function namesIn({ tools, offers = () => true }: Offers): string {
  return tools
    .filter(offers)
    .map(({ name }) => name)
    .join('\n');
}
