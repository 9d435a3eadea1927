import { createHash } from 'node:crypto';
import { escapeText } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import type { Project } from '../../workspace/project/project.ts';
import type { CallWorkspace, ViewOptions } from '../settings/rootward.ts';
import type { Call } from './call.ts';
import type { AttachedCore } from './core.ts';
import { elicit } from './elicit.ts';
import { withComposition } from './composition-for.ts';

/** Finds the workspace of a call. If several projects are possible, it asks the person. */
export async function workspaceOf(
  core: AttachedCore,
  call: Call | undefined,
  options: ViewOptions = {},
): Promise<CallWorkspace> {
  return withComposition(core, { call, options }, async ({ workspace, resolution, error }) => {
    if (workspace !== undefined) return workspace;
    if (call !== undefined && resolution.status === 'ambiguous') {
      const chosen = await chooseProject(call, resolution.candidates);
      if (chosen !== undefined) return switchTo(core, call, chosen.location);
    }
    throw error ?? new RootwardError('PROJECT_NOT_FOUND', { tried: [], remedy: 'Call why' });
  });
}

/** Remembers the person's choice until its root is gone. */
async function switchTo(core: AttachedCore, call: Call, location: string): Promise<CallWorkspace> {
  await call.connection.memory.keepSwitched({ text: location });
  call.lookAgain();
  return workspaceOf(core, call);
}

/**
 * Asks the person which of several projects is meant; `undefined` if the person cannot be asked or does not
 * answer.
 *
 * @throws {QuestionPending}
 */
async function chooseProject(call: Call, candidates: readonly Project[]): Promise<Project | undefined> {
  const locations = candidates.map(({ location }) => location);
  const content = await elicit(call, {
    // The key is the same for the same candidates.
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
