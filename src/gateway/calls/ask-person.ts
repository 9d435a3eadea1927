import { type Fields, fieldsOf } from '../../base/fields.ts';
import { quote } from '../../base/quote.ts';
import { bounded } from '../../base/wait.ts';
import type { AskAboutTool } from './call-gate.ts';

/** Milliseconds that a person has to answer. */
const patience = 120_000;

/** The way to a client. */
export interface ClientWay {
  ask(method: string, params: unknown): Promise<unknown>;
}

/** Asks the person who uses the client by a form of the client, if it has forms. */
export function askThroughElicitation(
  client: ClientWay,
  capabilities: () => Fields,
  server: string,
): AskAboutTool {
  return async (tool, signal) => {
    if (!hasForms(capabilities()['elicitation'])) return undefined;
    const message = `Allow ${quote(tool)} of ${quote(server)} to run, this time?`;
    const properties = { allow: { type: 'boolean', title: 'Allow' } };
    const requestedSchema = { type: 'object', properties, required: ['allow'] };
    const answer = await bounded(client.ask('elicitation/create', { message, requestedSchema }), {
      patience,
      signal,
    });
    const { action, content } = fieldsOf('value' in answer ? answer.value : undefined);
    return action === 'accept' && fieldsOf(content)['allow'] === true;
  };
}

/** Without modes, or with `form`, a client can show a form; some clients offer only links. */
function hasForms(elicitation: unknown): boolean {
  if (elicitation === undefined) return false;
  const modes = Object.keys(fieldsOf(elicitation));
  return modes.length === 0 || modes.includes('form');
}
