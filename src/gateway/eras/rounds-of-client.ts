import { type Fields, fieldsOf, isFields } from '../../base/fields.ts';
import type { RpcRequest } from '../../http/exchange/json-rpc.ts';
import type { RequestStateCodec } from '../../http/exchange/request-state.ts';
import { RootwardError } from '../../errors.ts';
import { readEnvelope } from './envelope.ts';
import { answerTo, type EraStep, type TranslatorOptions } from './step.ts';

/** State of the gateway that a client of 2026-07-28 keeps while it answers questions. */
export type CarriedState =
  /** The gateway asked for roots; the call has not begun. */
  | { readonly kind: 'roots' }
  /** The server waits in a call that has this handle. */
  | { readonly kind: 'parked'; readonly handle: string }
  /** The client is to open URLs; then the call begins anew. */
  | { readonly kind: 'again' }
  /** The gateway answers these questions of the server; `state` is the server's own. */
  | { readonly kind: 'shared'; readonly keys: readonly string[]; readonly state?: string };

/** The question for roots that the gateway itself puts. */
const rootsKey = 'rootward-roots';

/** A request with the state that came back in it, or the fault in that state. */
export type CarriedRequest =
  | { readonly request: RpcRequest; readonly state?: CarriedState | undefined; readonly answers: Fields }
  | { readonly fault: string };

/**
 * Opens the state in a request of a client. It is valid for the same method and arguments alone, so that an answer
 * given for one call is not taken for another. A state that is not ours is left to the server.
 */
export function openCarried(request: RpcRequest, codec: RequestStateCodec): CarriedRequest {
  const { requestState, inputResponses } = fieldsOf(request.params);
  const answers = fieldsOf(inputResponses);
  if (typeof requestState !== 'string' || !requestState.startsWith(mark)) return { request, answers };
  try {
    const state = codec.open(requestState.slice(mark.length), bindingOf(request)) as CarriedState;
    return { request, state, answers };
  } catch (error) {
    if (!RootwardError.is(error, 'INVALID_REQUEST_STATE')) throw error;
    return { fault: 'The requestState is not valid for this call, or it has expired' };
  }
}

/** Begins every state that the gateway sealed, to tell it from one of a server. */
const mark = 'rootward:';

export interface ClientQuestions {
  readonly inputRequests: Fields;
  readonly state: CarriedState;
}

/** Ends a request with questions to the client, which will send it again with the answers. */
export function askInRound(
  request: RpcRequest,
  { inputRequests, state }: ClientQuestions,
  codec: RequestStateCodec,
): EraStep {
  return answerTo('client', request.id, {
    resultType: 'input_required',
    inputRequests,
    requestState: mark + codec.seal(state, bindingOf(request)),
  });
}

/** Returns the question for the client's roots, if they are wanted before this call and the client can be asked. */
export function askForRoots(request: RpcRequest, options: TranslatorOptions): EraStep | undefined {
  const roots = readEnvelope(request.params)?.capabilities['roots'];
  if (!isFields(roots) || options.wantsClientRoots?.() !== true) return undefined;
  const inputRequests = { [rootsKey]: { method: 'roots/list' } };
  return askInRound(request, { inputRequests, state: { kind: 'roots' } }, options.requestState);
}

/** The client's roots among its answers. */
export function rootsSaid(answers: Fields): EraStep {
  return { kind: 'roots-said', result: answers[rootsKey] };
}

/** The request as it was before any question was put. */
export function withoutAnswers(request: RpcRequest): RpcRequest {
  const { inputResponses: _answers, requestState: _state, ...params } = fieldsOf(request.params);
  return { ...request, params };
}

/** The method and the arguments, whatever the order of keys. */
function bindingOf(request: RpcRequest): string {
  const { _meta, ...params } = fieldsOf(withoutAnswers(request).params);
  return `${request.method} ${JSON.stringify(params, sortKeys)}`;
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
