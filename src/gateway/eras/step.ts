import type { Fields } from '../../base/fields.ts';
import type { RpcId, RpcMessage } from '../../http/exchange/json-rpc.ts';
import type { RequestStateCodec } from '../../http/exchange/request-state.ts';

/** The two ends of the gateway. */
export type GatewaySide = 'client' | 'server';

/** One thing that the relay does because of a message, in the order of the list. */
export type EraStep =
  /** Forwards a message that arrived, as the bytes that it was. */
  | { readonly kind: 'pass'; readonly to: GatewaySide; readonly message: RpcMessage }
  | { readonly kind: 'send'; readonly to: GatewaySide; readonly message: RpcMessage }
  /** The server asks for roots: the relay calls `answerRoots` with this question once it knows them. */
  | { readonly kind: 'roots-asked'; readonly question: string }
  /** A client of 2026-07-28 answered with its roots: the result of `roots/list`, not checked. */
  | { readonly kind: 'roots-said'; readonly result: unknown }
  /** The client says that its roots changed. It is never passed on. */
  | { readonly kind: 'roots-changed' }
  /** The server was asked for its era: unless it answers within three seconds, the relay calls `serverSilent`. */
  | { readonly kind: 'probe' }
  /** The server has the other era: the relay replaces its process; steps that follow are for the new one. */
  | { readonly kind: 'fresh-server' }
  | { readonly kind: 'record'; readonly record: EraRecord };

/** A message that could not be carried over, for the audit. It holds no values of the message. */
export interface EraRecord {
  readonly what: 'dropped' | 'refused' | 'declined' | 'expired';
  /** The side that sent the message. */
  readonly from: GatewaySide;
  readonly method: string;
  /** The end of a sentence: `the call had more than 10 rounds`. */
  readonly why: string;
}

/** A root as `roots/list` names it. */
export interface ListedRoot {
  readonly uri: string;
  readonly name?: string;
}

/** Carries messages between two ends whose eras are known. Messages of one side are given to it in their order. */
export interface EraTranslator {
  fromClient(message: RpcMessage): readonly EraStep[];
  fromServer(message: RpcMessage): readonly EraStep[];
  /** Answers a step `roots-asked` with the roots in the server's namespace. */
  answerRoots(question: string, roots: readonly ListedRoot[]): readonly EraStep[];
  /** The gateway's roots changed: tells the server, if its era has a notification for it. */
  rootsChanged(): readonly EraStep[];
  /** A new server process took the place of the old one: what the client subscribed to is asked for again. */
  resume(): readonly EraStep[];
  /** Gives up questions that the client did not answer in time. The relay calls it about once a minute. */
  expire(): readonly EraStep[];
}

/** The connection as a translator sees it. */
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

export function passTo(to: GatewaySide, message: RpcMessage): EraStep {
  return { kind: 'pass', to, message };
}

export function sendTo(to: GatewaySide, message: RpcMessage): EraStep {
  return { kind: 'send', to, message };
}

export function requestTo(to: GatewaySide, id: RpcId, method: string, params?: Fields): EraStep {
  return sendTo(to, { jsonrpc: '2.0', id, method, ...(params && { params }) });
}

export function notifyTo(to: GatewaySide, method: string, params?: Fields): EraStep {
  return sendTo(to, { jsonrpc: '2.0', method, ...(params && { params }) });
}

export function answerTo(to: GatewaySide, id: RpcId, result: Fields): EraStep {
  return sendTo(to, { jsonrpc: '2.0', id, result });
}

/** Codes of JSON-RPC and of the protocol. */
export const rpcCodes = {
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  resourceNotFound: -32_002,
  unsupportedVersion: -32_022,
  urlRequired: -32_042,
} as const;

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function failTo(to: GatewaySide, id: RpcId, error: RpcFailure): EraStep {
  return sendTo(to, { jsonrpc: '2.0', id, error });
}

export function noteThat(what: EraRecord['what'], from: GatewaySide, method: string, why: string): EraStep {
  return { kind: 'record', record: { what, from, method, why } };
}

/** Tells a sender that its request is unknown, and records it. */
export function refuseMethod(from: GatewaySide, id: RpcId, method: string): readonly EraStep[] {
  return [
    failTo(from, id, { code: rpcCodes.unknownMethod, message: `Method not found: ${method}` }),
    noteThat('refused', from, method, 'the other side has no such method'),
  ];
}
