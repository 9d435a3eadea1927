/** What a client is asked. */
export interface Ask {
  /** How often it was asked for its roots so far; the first time is 1. */
  readonly number: number;
  /** The roots that it could list, as the protocol writes them. */
  readonly roots: readonly { readonly uri: string; readonly name?: string }[];
  /** How long the server is known to wait, in milliseconds. */
  readonly patience: number;
}

/** One step of what a client does. In `send`, `$id` stands for the id of the question. */
export type Move =
  | { readonly move: 'answer'; readonly result: unknown }
  | { readonly move: 'refuse'; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly move: 'send'; readonly message: object; readonly times?: number }
  | { readonly move: 'wait'; readonly milliseconds: number }
  /** From 2026-07-28 on: sends the call again without an answer. */
  | { readonly move: 'forget' }
  | { readonly move: 'close' };

/** A client as data: what it says of itself, and what it does when it is asked for its roots. */
export interface DifficultClient {
  /** What is difficult about it. */
  readonly about: string;
  /** The revision that it speaks; from 2026-07-28 on it is asked by `input_required`. */
  readonly revision: string;
  /** What it declares, in `initialize` or with each request, which are counted from 1. */
  readonly capabilities: (request: number) => Readonly<Record<string, unknown>>;
  /** More parameters of `initialize`. */
  readonly initialize?: (roots: Ask['roots']) => Readonly<Record<string, unknown>>;
  /** What it does when it is asked for its roots. No moves: it says nothing. */
  readonly whenAsked: (ask: Ask) => readonly Move[];
  /** What it does before each call of a tool, which are counted from 1. */
  readonly beforeCall?: (call: number) => readonly Move[];
  /** More parameters of each call of a tool. */
  readonly withCall?: (roots: Ask['roots']) => Readonly<Record<string, unknown>>;
}
