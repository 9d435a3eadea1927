import { type Fields, fieldsOf } from '../../base/fields.ts';
import { askClient } from '../connection/ask-client.ts';
import type { WireRequest } from '../sdk/protocol-server.ts';
import type { Call } from './call.ts';
import { answerOf } from './rounds.ts';

/** A question for the person who uses the client. */
export interface PersonQuestion {
  /** Tells it from other questions of the same call. */
  readonly key: string;
  readonly message: string;
  /** The fields of one flat object, as the protocol requires. */
  readonly properties: Fields;
  readonly required: readonly string[];
  readonly signal?: AbortSignal;
}

/** Milliseconds that a person has to answer. */
const patience = 120_000;

/** Whether a person can be asked within this call. */
export function canElicit({ connection, incoming, mayAsk }: Call): boolean {
  const { elicitation } = connection.capabilities(incoming);
  if (elicitation === undefined || (connection.modern && !mayAsk)) return false;
  // Without modes, or with `form`, the client can show a form; some clients offer only links.
  const modes = Object.keys(fieldsOf(elicitation));
  return modes.length === 0 || modes.includes('form');
}

/**
 * Asks the person; `undefined` if they decline, take too long, or cannot be asked.
 *
 * @throws {QuestionPending} if a 2026 client must be asked first
 */
export async function elicit(call: Call, question: PersonQuestion): Promise<Fields | undefined> {
  if (!canElicit(call)) return undefined;
  const { key, message, properties, required } = question;
  const requestedSchema = { type: 'object', properties, required };
  const request: WireRequest = {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema },
  };
  if (call.connection.modern) {
    const reply = answerOf(call, key, request);
    return 'response' in reply ? acceptedContent(reply.response) : undefined;
  }
  // Clients of older revisions know no modes.
  const older: WireRequest = { ...request, params: { message, requestedSchema } };
  const [way] = call.connection.ways(call.incoming);
  if (way === undefined) return undefined;
  // The person is asked over one route only, so that they never see a question twice. A cancelled call stops waiting.
  const signals = [question.signal, call.incoming.signal].filter((signal) => signal !== undefined);
  const signal = AbortSignal.any(signals);
  const reply = await askClient({ request: older, ways: [way], patience, signal });
  return reply.kind === 'answered' ? acceptedContent(reply.result) : undefined;
}

function acceptedContent(response: unknown): Fields | undefined {
  const { action, content } = fieldsOf(response);
  return action === 'accept' ? fieldsOf(content) : undefined;
}
