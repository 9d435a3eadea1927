import { type Fields, fieldsOf } from '../../base/fields.ts';
import { AnswerPending } from '../../policy/settle.ts';
import type { WireRequest } from '../sdk/protocol-server.ts';
import { hadRoots, type RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import { readRoots } from '../connection/client-roots.ts';
import type { Settings } from '../settings/settings.ts';
import type { Attachment } from './attachments.ts';
import type { Call } from './call.ts';

/**
 * Thrown to end a handler that needs an answer from a 2026 client. It may get lost: the question is stored with
 * the call and sent to the client whatever the handler does with this error.
 */
export class QuestionPending extends AnswerPending {
  override readonly name = 'QuestionPending';

  constructor() {
    super('The client is asked first, and then sends this call again');
  }
}

/** The answer of a 2026 client, or a note that it could not be read. */
export type RoundResponse = { readonly response: unknown } | { readonly unreadable: true };

/**
 * Returns the client's answer to a question of the previous round.
 *
 * @throws {QuestionPending} if the client has not been asked yet
 */
export function answerOf(call: Call, key: string, request: WireRequest): RoundResponse {
  call.questions.set(key, request);
  const { responses, dropped } = call.incoming;
  if (Object.hasOwn(responses, key)) return { response: responses[key] };
  // A badly answered question is not asked again, because that could go on forever.
  if (dropped.includes(key)) return { unreadable: true };
  call.waiting = true;
  throw new QuestionPending();
}

/** Asks a 2026 client by ending the call with a question. If that is impossible, the stored answer counts. */
export async function answerInRounds(
  attachment: Attachment,
  call: Call,
  settings: Settings,
): Promise<RootsAnswer> {
  const known = knownInRounds(attachment, call, settings);
  if (known !== undefined) return known;
  const { connection } = attachment;
  const { answer: before, generation } = connection.memory.current();
  const reply = answerOf(call, rootsKey, rootsRequest);
  const answer: RootsAnswer =
    'response' in reply
      ? readRoots(reply.response, before)
      : { state: 'failed', afterChange: hadRoots(before), reason: 'its answer cannot be read' };
  attachment.answeredAt = performance.now();
  if (await connection.memory.keepAnswer(generation, answer)) attachment.answered();
  return answer;
}

/** The stored answer, if a 2026 client need not be asked in this call. */
export function knownInRounds(
  { connection, answeredAt }: Attachment,
  call: Call,
  { reuse }: Settings,
): RootsAnswer | undefined {
  if (connection.capabilities(call.incoming)['roots'] === undefined) return { state: 'unsupported' };
  const fresh = performance.now() - answeredAt < reuse;
  return fresh || !call.mayAsk ? connection.memory.current().answer : undefined;
}

/** The key and the request for the roots. */
const rootsKey = 'rootward_roots';
const rootsRequest: WireRequest = { method: 'roots/list' };

/**
 * Adds our questions to the result of a handler. A client answers one round at a time and keeps no state, so
 * answered questions are asked again together with the author's own.
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

/** The answered questions about roots. Without them an author's own question would start the rounds over and over. */
function answeredRoots({ incoming: { responses, dropped } }: Call): Fields {
  const answered = Object.hasOwn(responses, rootsKey) || dropped.includes(rootsKey);
  return answered ? { [rootsKey]: rootsRequest } : {};
}
