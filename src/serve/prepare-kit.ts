import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Operation } from '../boundary/step/operation.ts';
import { findDirectories } from '../config/own-directory.ts';
import { parseRoots, type Root } from '../path/root.ts';
import { parsePolicy, type Policy } from '../policy/rules/policy.ts';
import type { AttachOptions } from '../server/settings/attach-options.ts';
import { allTools } from '../tools/all-tools.ts';
import type { Tool } from '../tools/tool/tool.ts';
import type { FollowedStore } from './follow-store.ts';
import { possibleOperations, writeInstructions } from './kit/instructions.ts';
import type { AnswerSettings } from './kit/answer-tools.ts';
import { chooseOwnTools, chooseTools } from './kit/choose-tools.ts';
import type { KitOptions } from './kit/kit.ts';
import { guessProject } from './kit/guess-project.ts';
import type { ServeRecords } from './open-records.ts';
import { forbiddenPlaces, programPlaces } from './forbidden-places.ts';
import { createProjectChoices } from './kit/project-choices.ts';
import { findShell } from './serve-shell.ts';
import { tellSecretPlaces } from './settings/notices.ts';
import type { CliContext } from './settings/process-context.ts';
import type { ServeSettings } from './settings/serve-settings.ts';

const { version } = createRequire(import.meta.url)('rootward/package.json') as { version: string };

/**
 * Builds a server from the settings.
 *
 * @throws {RootwardError} `INVALID_POLICY`
 */
export async function prepareKit(
  context: CliContext,
  settings: ServeSettings,
  { audit, trace, ask, askSwitch, store, caught }: KitParts,
): Promise<KitOptions> {
  const { directories, project, merge } = settings;
  const policy = parsePolicy(settings.policy);
  const possible = operationsNow(policy, store);
  const attach: AttachOptions = {
    ...(await attachmentOf(context, settings, policy)),
    audit,
    trace,
    choices: createProjectChoices(join(findDirectories(context.process.env).state, 'choices')),
    ...(ask && { ask }),
    ...(askSwitch && { askSwitch }),
    ...(caught && { caught }),
    ...(store && { operator: store.operator, remedy: keepOne }),
  };
  const ceiling = directories && parseRoots(directories.map((uri) => ({ uri }))).roots;
  const isChosen = chooseTools(settings);
  const shell = isChosen('shell') && possible().includes('execute') ? await findShell(context, settings) : [];
  const offers = (tool: Tool): boolean => tool.operations.every((needed) => possible().includes(needed));
  // A store may allow more later, so all tools are prepared.
  const prepared = store === undefined ? allTools.filter(offers) : allTools;
  const tools = [...prepared.filter(({ name }) => isChosen(name)), ...shell];
  const ownTools = chooseOwnTools(isChosen);
  const overHttp = settings.http !== undefined;
  const kept = (await store?.operator())?.ceiling ?? [];
  const pinned = project === undefined ? [] : parseRoots([{ uri: project }]).roots;
  const operators = [...(ceiling ?? []), ...pinned, ...kept].map(({ path }) => path);
  if (context.isWorker !== true) tellSecretPlaces(context, policy, operators).catch(() => undefined);
  const situation = {
    ...(await projectAhead({ ...attach, overHttp }, ceiling)),
    ...(store && { kept: kept.map(({ name }) => name) }),
    merge: merge ?? (overHttp ? 'intersect' : 'union'),
  };
  return {
    version,
    attach: { ...attach, tools: ownTools },
    tools,
    answers: answersOf(settings),
    instructions: writeInstructions({ policy, ceiling, tools, ownTools, ...situation }),
    ...(store && { offers }),
  };
}

/** How a server of these settings is attached, whatever it records and whatever roots a person keeps. */
export async function attachmentOf(
  context: CliContext,
  settings: ServeSettings,
  policy: Policy,
): Promise<AttachOptions> {
  const { directories, project, merge, preset, markers, oneFilesystem } = settings;
  return {
    policy,
    cwd: context.cwd,
    environment: context.process.env ?? {},
    forbidden: forbiddenPlaces(context, settings),
    fixed: await programPlaces(),
    ...(directories && { ceiling: directories }),
    ...(project !== undefined && { project }),
    ...(merge && { merge }),
    ...(preset && { preset }),
    ...(markers && { markers }),
    ...(oneFilesystem && { boundary: { mounts: 'refuse' } }),
  };
}

function answersOf({ compat, maxAnswer }: ServeSettings): AnswerSettings {
  return { compat, ...(maxAnswer !== undefined && { maxAnswer }) };
}

/** The project to name before a client connects. With named directories the start does not wait for the search. */
async function projectAhead(
  attach: AttachOptions,
  ceiling: readonly Root[] | undefined,
): Promise<{ readonly project?: string }> {
  if (attach.merge === 'client') return {};
  const named = attach.project === undefined ? ceiling : parseRoots([{ uri: attach.project }]).roots;
  const project = named === undefined ? await guessProject(attach) : named[0]?.name;
  return project === undefined ? {} : { project };
}

/** A remedy that works in every client and takes effect at the next call. */
const keepOne = 'or keep a folder for this server: `rootward roots add DIR`';

/** The parts of a server beside its settings. */
type KitParts = Pick<ServeRecords, 'audit' | 'trace'> &
  Pick<AttachOptions, 'ask' | 'askSwitch' | 'caught'> & { readonly store?: FollowedStore | undefined };

/** The operations that the command or the store allows in some root. */
function operationsNow(policy: Policy, store: FollowedStore | undefined): () => readonly Operation[] {
  const always = possibleOperations(policy);
  return () => [...always, ...(store?.operations() ?? [])];
}
