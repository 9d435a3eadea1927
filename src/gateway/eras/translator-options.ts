import type { RequestStateCodec } from '../../http/exchange/request-state.ts';

export interface TranslatorOptions {
  /** Makes an id for a request of the gateway, which no request of either side has. */
  readonly newId: () => string;
  /** Whether the gateway answers `roots/list`. If not, it does not declare roots either. */
  readonly answersRoots: boolean;
  /** Seals what a client of 2026-07-28 carries between two rounds of a call. */
  readonly requestState: RequestStateCodec;
  /**
   * Whether a client of 2026-07-28 that declares roots is to be asked for them before the call at hand. That client
   * can be asked only by an answer to one of its calls.
   */
  readonly wantsClientRoots?: () => boolean;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}
