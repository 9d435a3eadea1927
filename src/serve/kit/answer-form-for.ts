import type { Server } from '@modelcontextprotocol/server';
import { fieldsOf } from '../../base/fields.ts';
import { type CallContext, readContext } from '../../server/sdk/call-context.ts';
import { isModern, lowServerOf, takesStructured } from '../../server/sdk/protocol-server.ts';
import { type AnswerForm, referenceForm, usualForm } from '../../tools/tool/answer-form.ts';
import { allProfiles } from '../../workspace/profiles/all-profiles.ts';
import { findProfile } from '../../workspace/sources/profile.ts';

/** The operator's settings for answers. */
export interface AnswerSettings {
  /** Sends what the reference server sends. */
  readonly compat?: boolean;
  /** Characters of text in one result, for every client. */
  readonly maxAnswer?: number;
}

/**
 * The form of answers for the client of a request: the operator's word, else what is known of the client, else what
 * suits most. A revision without structured content gets none.
 */
export function answerFormFor(server: Server, context: CallContext, settings: AnswerSettings): AnswerForm {
  const { structured, maxAnswer } = settings.compat === true ? referenceForm : formOf(server, context);
  return {
    structured: takesStructured(lowServerOf(server)) ? structured : 'none',
    maxAnswer: Math.max(leastAnswer, settings.maxAnswer ?? maxAnswer),
  };
}

/** A shorter answer could not say how to go on. */
const leastAnswer = 1_000;

function formOf(server: Server, context: CallContext): AnswerForm {
  const { maxAnswer = usualForm.maxAnswer } = findProfile(allProfiles, clientIn(server, context)) ?? {};
  return { ...usualForm, maxAnswer };
}

/** The name of the client. From 2026-07-28 on, each request has it. */
function clientIn(server: Server, context: CallContext): string | undefined {
  const low = lowServerOf(server);
  const { envelope } = readContext(context);
  const said = isModern(low) ? envelope['io.modelcontextprotocol/clientInfo'] : low.getClientVersion();
  const { name } = fieldsOf(said);
  return typeof name === 'string' ? name : undefined;
}
