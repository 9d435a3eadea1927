import { type Fields, fieldsOf } from '../../base/fields.ts';
import { AnswerPending } from '../../policy/settle.ts';
import type { WireRequest } from '../sdk/protocol-server.ts';
import type { Call } from './call.ts';

/**
 * Ends a handler that needs an answer of a 2026 client. It need not arrive anywhere: the question is noted with
 * the call, and put to the client whatever the handler does with this.
 */
export class QuestionPending extends AnswerPending {
  override readonly name = 'QuestionPending';

  constructor() {
    super('The client is asked first, and then sends this call again');
  }
}

/** What a 2026 client answered: its response, or that it answered in a form that cannot be read. */
export type RoundResponse = { readonly response: unknown } | { readonly unreadable: true };

/**
 * The client's answer to a question of the round before.
 *
 * @throws {QuestionPending} if it was not asked so far
 */
export function answerOf(call: Call, key: string, request: WireRequest): RoundResponse {
  call.questions.set(key, request);
  const { responses, dropped } = call.incoming;
  if (Object.hasOwn(responses, key)) return { response: responses[key] };
  // Asking again what was answered badly would go on for ever.
  if (dropped.includes(key)) return { unreadable: true };
  call.waiting = true;
  throw new QuestionPending();
}

/** The key and the question for the roots. */
export const rootsKey = 'rootward_roots';
export const rootsRequest: WireRequest = { method: 'roots/list' };

/**
 * The result of a handler with our questions in it. A client answers one round at a time and keeps nothing, so
 * what was asked before is asked again with a question of the author's own.
 */
export function withQuestions(result: unknown, call: Call): unknown {
  const asks = fieldsOf(result)['resultType'] === 'input_required';
  if (!asks && !call.waiting) return result;
  const own = Object.fromEntries(call.questions);
  if (!asks) return { resultType: 'input_required', inputRequests: own };
  const asked = { ...answeredRoots(call), ...own };
  if (Object.keys(asked).length === 0) return result;
  const theirs = fieldsOf(fieldsOf(result)['inputRequests']);
  return { ...fieldsOf(result), inputRequests: { ...theirs, ...asked } };
}

/** An author who asks before the workspace is awaited would have the roots asked for again, and so on for ever. */
function answeredRoots({ incoming: { responses, dropped } }: Call): Fields {
  const answered = Object.hasOwn(responses, rootsKey) || dropped.includes(rootsKey);
  return answered ? { [rootsKey]: rootsRequest } : {};
}
