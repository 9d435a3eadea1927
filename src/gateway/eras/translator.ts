import type { RpcMessage } from '../../http/exchange/json-rpc.ts';

/** The two ends of the gateway. */
export type Side = 'client' | 'server';

/** One thing that the relay does because of a message, in the order of the list. */
export type Step =
  /** Forwards the bytes that arrived, unchanged. */
  | { readonly kind: 'pass'; readonly to: Side }
  | { readonly kind: 'send'; readonly to: Side; readonly message: RpcMessage }
  /** The server asks for roots: the relay calls `answerRoots` with this question once it knows them. */
  | { readonly kind: 'roots-asked'; readonly question: string }
  /** A client of 2026-07-28 answered with its roots: the result of `roots/list`, not checked. */
  | { readonly kind: 'roots-said'; readonly result: unknown }
  /** The client says that its roots changed. It is never passed on. */
  | { readonly kind: 'roots-changed' }
  | { readonly kind: 'record'; readonly record: EraRecord };

/** A message that could not be carried over, for the audit. It holds no values of the message. */
export interface EraRecord {
  readonly what: 'dropped' | 'refused' | 'declined' | 'expired';
  /** The side that sent the message. */
  readonly from: Side;
  readonly method: string;
  /** The end of a sentence: `the call had more than 10 rounds`. */
  readonly why: string;
}

/**
 * Carries the messages of one connection between the eras of its two ends. It is pure: it does nothing but return
 * steps, and its state is that of the connection that created it. Messages of one side are given to it in their order.
 */
export interface Translator {
  fromClient(message: RpcMessage): readonly Step[];
  fromServer(message: RpcMessage): readonly Step[];
  /** Answers a step `roots-asked` with the roots in the server's namespace. */
  answerRoots(question: string, roots: readonly RootEntry[]): readonly Step[];
  /** The gateway's roots changed: tells the server, if its era has a notification for it. */
  rootsChanged(): readonly Step[];
  /** A new server process took the place of the old one: what the client subscribed to is asked for again. */
  restarted(): readonly Step[];
  /** Gives up questions that the client did not answer in time. The relay calls it about once a minute. */
  expire(): readonly Step[];
}

/** A root as `roots/list` names it. */
export interface RootEntry {
  readonly uri: string;
  readonly name?: string;
}
