import { createHash } from 'node:crypto';
import { describeQuestion } from '../policy/describe-question.ts';
import type { AskConsent, ConsentQuestion } from '../policy/settle.ts';
import type { Call } from './call/call.ts';
import { canElicit, elicit } from './call/elicit.ts';

/** Puts a question of the policy to the person in front of the client, where the client can do that. */
export function askThroughClient(call: Call): AskConsent | undefined {
  if (!canElicit(call)) return undefined;
  return async (question) => {
    const content = await elicit(call, {
      key: `rootward_consent_${keyOf(question)}`,
      message: describeQuestion(question),
      properties: { allow: { type: 'boolean', title: 'Allow' } },
      required: ['allow'],
      signal: question.signal,
    });
    return content?.['allow'] === true;
  };
}

/** An answer of the round before counts for the very same wish: the same command, and a link that leads to the same place. */
function keyOf({ request, root, place = root, at }: ConsentQuestion): string {
  const { operation, path, tool, detail } = request;
  const wish = JSON.stringify([operation, path, tool, detail, place, at]);
  return createHash('sha256').update(wish).digest('hex').slice(0, 24);
}
