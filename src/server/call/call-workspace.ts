import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { escapeText } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import type { Project } from '../../workspace/project/project.ts';
import type { Composition } from '../compose/composition.ts';
import type { ProjectChoices } from '../settings/chosen-project.ts';
import type { CallWorkspace, ViewOptions } from '../settings/rootward.ts';
import type { Call } from './call.ts';
import type { AttachedCore } from './core.ts';
import { canElicit, elicit } from './elicit.ts';
import { callScope, compositionFor, withComposition } from './composition-for.ts';

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

/**
 * The composition in which a relative path of a call is found. If the project is a guess, the person is asked where
 * that is possible, once for these directories; otherwise the answer says that it is a guess.
 */
export async function compositionToAct(
  core: AttachedCore,
  call: Call | undefined,
  composition: Composition,
): Promise<Composition> {
  const { choices } = core.settings;
  const { guess } = composition;
  if (guess === undefined || choices === undefined || call === undefined) return composition;
  call.choosing ??= chooseGuessed(call, composition, choices);
  const chosen = await call.choosing;
  if (chosen === undefined) {
    call.note(guess);
    return composition;
  }
  return (await compositionFor(callScope(core, call), call)).composition;
}

/** Asks which of the guessed projects is meant, and remembers the answer, a refusal included. */
async function chooseGuessed(
  call: Call,
  { resolution }: Composition,
  choices: ProjectChoices,
): Promise<string | undefined> {
  if (resolution.status !== 'resolved') return undefined;
  const { guessedAmong } = resolution;
  const client = call.connection.client(call.incoming)?.name;
  const before = await choices.find(client, guessedAmong);
  if (before !== undefined && before.location === undefined) return undefined;
  const named = guessedAmong.map((location) => ({ name: basename(location), location }));
  // Another connection may have asked since this composition was made; it is shared by all of them.
  const known = named.find(({ location }) => location === before?.location);
  if (known === undefined && !canElicit(call)) return undefined;
  const chosen = known ?? (await chooseProject(call, named));
  if (known === undefined)
    await choices.keep(client, guessedAmong, chosen === undefined ? {} : { location: chosen.location });
  if (chosen === undefined) return undefined;
  await call.connection.memory.keepSwitched({ text: chosen.location });
  call.lookAgain();
  return chosen.location;
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
async function chooseProject<Choice extends Pick<Project, 'name' | 'location'>>(
  call: Call,
  candidates: readonly Choice[],
): Promise<Choice | undefined> {
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
