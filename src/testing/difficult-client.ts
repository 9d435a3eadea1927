/** A `roots/list` request as the client sees it. */
export interface Ask {
  /** Counts the requests for roots, starting at 1. */
  readonly number: number;
  /** The roots that the client could list, in the form of the protocol. */
  readonly roots: readonly { readonly uri: string; readonly name?: string }[];
  /** Milliseconds that the server is known to wait. */
  readonly patience: number;
}

/** One step of a client's behaviour. In `send`, `$id` stands for the id of the request. */
export type Move =
  | { readonly move: 'answer'; readonly result: unknown }
  | { readonly move: 'refuse'; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly move: 'send'; readonly message: object; readonly times?: number }
  | { readonly move: 'wait'; readonly milliseconds: number }
  /** From 2026-07-28 on: repeats the call without an answer. */
  | { readonly move: 'forget' }
  | { readonly move: 'close' };

/** A client as data: its introduction, and its behaviour when it is asked for roots. */
export interface DifficultClient {
  /** One clause that says why this client is difficult. */
  readonly about: string;
  /** The revision it speaks; from 2026-07-28 on the server asks by `input_required`. */
  readonly revision: string;
  /** Capabilities that it declares, in `initialize` or with each request. Requests count from 1. */
  readonly capabilities: (request: number) => Readonly<Record<string, unknown>>;
  /** Additional parameters of `initialize`. */
  readonly initialize?: (roots: Ask['roots']) => Readonly<Record<string, unknown>>;
  /** Its moves when asked for roots. Without moves it stays silent. */
  readonly whenAsked: (ask: Ask) => readonly Move[];
  /** Its moves before each tool call. Calls count from 1. */
  readonly beforeCall?: (call: number) => readonly Move[];
  /** Additional parameters of each tool call. */
  readonly withCall?: (roots: Ask['roots']) => Readonly<Record<string, unknown>>;
}
