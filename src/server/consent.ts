import { createHash } from 'node:crypto';
import type { AskConsent } from '../policy/settle.ts';
import { quote } from '../quote.ts';
import type { Call } from './call.ts';
import { canElicit, elicit } from './elicit.ts';

/** Puts a question of the policy to the person in front of the client, where the client can do that. */
export function askThroughClient(call: Call): AskConsent | undefined {
  if (!canElicit(call)) return undefined;
  return async ({ request: { operation, path }, root, place = root, reason, signal }) => {
    const key = createHash('sha256').update(`${operation}\0${path}\0${place}`).digest('hex').slice(0, 12);
    const content = await elicit(call, {
      key: `rootward_consent_${key}`,
      message: `Allow to ${operation} ${quote(path)} in ${quote(root)}? (${reason})`,
      properties: { allow: { type: 'boolean', title: 'Allow' } },
      required: ['allow'],
      signal,
    });
    return content?.['allow'] === true;
  };
}
