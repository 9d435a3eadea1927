import { createHash } from 'node:crypto';
import { escapeText } from '../../base/quote.ts';
import type { Project } from '../../workspace/project/project.ts';
import type { Call } from './call.ts';
import { elicit } from './elicit.ts';

/**
 * Asks the person which of several projects is meant. `undefined` where nobody can be asked or nobody says.
 *
 * @throws {QuestionPending}
 */
export async function chooseProject(
  call: Call,
  candidates: readonly Project[],
): Promise<Project | undefined> {
  const locations = candidates.map(({ location }) => location);
  const content = await elicit(call, {
    // The same candidates are the same question.
    key: `rootward_project_${createHash('sha256').update(locations.join('\0')).digest('hex').slice(0, 12)}`,
    message: 'Several projects are open. Which one is meant?',
    properties: {
      project: {
        type: 'string',
        title: 'Project',
        enum: locations,
        enumNames: candidates.map(({ name, location }) => escapeText(`${name} (${location})`)),
      },
    },
    required: ['project'],
  });
  return candidates.find(({ location }) => location === content?.['project']);
}
