import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Fields } from '../../base/fields.ts';
import { quote } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { isRelative } from '../../path/file-uri.ts';
import { expandHome } from '../../path/home.ts';
import type { RootIssue, RootIssueCode } from '../../path/root-issue.ts';
import { parseRoot, type Root } from '../../path/root.ts';
import { findSecretPlace } from '../../policy/rules/secret-paths.ts';
import { chainPresets } from '../../workspace/chain/chain-presets.ts';
import { reasonOfIssues } from '../../workspace/chain/judge-place.ts';
import { mayWiden, modeOf } from '../compose/compose.ts';
import type { Composition } from '../compose/composition.ts';
import { bindSwitch, isBareName } from '../compose/gather-signals.ts';
import { findSecretWithin } from '../compose/refusal-for.ts';
import type { Switched } from '../connection/connection-memory.ts';
import type { OwnToolName, SwitchQuestion } from '../settings/attach-options.ts';
import { dataResult, refusalResult, type OwnToolResult } from '../settings/refusal-result.ts';
import type { Call } from './call.ts';
import type { AttachedCore } from './core.ts';
import { canElicit, elicit } from './elicit.ts';
import { callScope, compositionFor } from './composition-for.ts';
import { findNames, findNamedPlace } from './find-named-place.ts';
import {
  describePermitted,
  recordGrant,
  recordGrantEnd,
  recordSwitchRefusal,
  type SwitchedProject,
  type SwitchOrigin,
} from './switch-records.ts';
import { trailInWords, workspaceInWords } from './workspace-in-words.ts';

export interface OwnToolCall {
  readonly name: OwnToolName;
  readonly input: Fields;
}

/** Runs one of our tools. It throws refusals; `runCall` turns them into results. */
export async function runOwnTool(
  core: AttachedCore,
  call: Call,
  { name, input }: OwnToolCall,
): Promise<OwnToolResult> {
  switch (name) {
    case 'list_roots':
      return listRoots(call, (await compositionFor(callScope(core, call), call)).composition);
    case 'why':
      return explainProject((await compositionFor(callScope(core, call), call)).composition);
    case 'switch_project':
      return switchProject(core, call, input);
  }
}

/** Lists the roots, also where no project is known, unless the caller named one that it cannot have. */
function listRoots({ argument }: Call, composition: Composition): OwnToolResult {
  const { error, open } = composition;
  if (error !== undefined && (open.roots.length === 0 || argument !== undefined)) return refusalResult(error);
  // Places that were named but are not among the roots, or only after a repair.
  const issues = composition.issues.filter(({ effect }) => effect !== 'warned');
  const data = { ...describe(composition), ...(issues.length > 0 && { issues }) };
  return dataResult(data, workspaceInWords(composition, issues));
}

/** Explains the project, or why there is none. */
function explainProject(composition: Composition): OwnToolResult {
  const { resolution, error, issues } = composition;
  const data = { ...describe(composition), trail: resolution.trail, issues };
  const words = [workspaceInWords(composition, issues), trailInWords(resolution.trail)].join('\n');
  if (error === undefined) return dataResult(data, words);
  const refusal = refusalResult(error);
  const [told = { type: 'text', text: '' }] = refusal.content;
  const text = `${told.text}\n${words}`;
  return {
    ...refusal,
    content: [{ ...told, text }],
    structuredContent: { ...data, ...refusal.structuredContent },
  };
}

function describe({ workspace, open, why }: Composition): Fields {
  const roots = open.roots.map(({ root: { uri, path, name, kind } }) => ({ uri, path, name, kind }));
  if (workspace === undefined) return { roots, why };
  const { source, confidence } = workspace;
  const { name, location, id } = workspace.project;
  return {
    project: { name, ...(location !== undefined && { location }), id },
    source,
    confidence,
    roots,
    why,
  };
}

async function switchProject(core: AttachedCore, call: Call, input: Fields): Promise<OwnToolResult> {
  await core.settings.audit.ready?.();
  const { composition } = await compositionFor(callScope(core, call), call);
  const { project, start } = wantedIn(input);
  if (typeof project !== 'string' || project === '') {
    const search = { composition, settings: core.settings, signal: call.incoming.signal };
    const reason = project === '' ? 'no project is named' : 'the project is not a text';
    throw unknownProject('', reason, { composition, known: await findNames(search) });
  }
  try {
    const from = startOf(start, composition);
    const switched = await judgeSwitch(core, call, { project, from, composition });
    if (call.connection.modern && call.overHttp) throw notRemembered(project, switched);
    const after = await trySwitch(core, call, { project, switched });
    return dataResult(describe(after), workspaceInWords(after, []));
  } catch (error) {
    if (RootwardError.is(error, 'CANNOT_SWITCH') || RootwardError.is(error, 'NOT_ASKED'))
      await recordSwitchRefusal(core.settings, switchOriginOf(call), error);
    throw error;
  }
}

/** A caller that names only a directory means it as the project. */
function wantedIn({ project, cwd }: Fields): { readonly project: unknown; readonly start?: unknown } {
  return (project ?? '') === '' ? { project: cwd ?? '' } : { project, start: cwd };
}

/**
 * The directory that a relative project starts at, if the caller names one.
 *
 * @throws {RootwardError} `OUTSIDE_ROOTS`
 */
function startOf(cwd: unknown, { open, workspace }: Composition): string | undefined {
  if (typeof cwd !== 'string' || cwd === '') return undefined;
  const path = expandHome(cwd);
  const { location } = workspace?.project ?? {};
  const start = isRelative(path) && location !== undefined ? join(location, path) : path;
  const found = open.locate(start);
  if (found === undefined || isRelative(start))
    throw new RootwardError('OUTSIDE_ROOTS', { path: cwd, roots: namesIn({ open }) });
  return join(found.root.path, found.relative);
}

/** A client that sends each request for itself names the project with each of them. */
function notRemembered(project: string, { text }: Switched): RootwardError<'CANNOT_SWITCH'> {
  const reason = 'nothing is remembered between the calls of this client';
  const remedy = `Pass cwd with every call instead: ${quote(text)}`;
  return new RootwardError('CANNOT_SWITCH', { project, reason, known: [], remedy });
}

/**
 * Stores a switch that works. A switch that a person granted is recorded in the audit first; if that fails, it is
 * undone.
 */
async function trySwitch(
  core: AttachedCore,
  call: Call,
  { project, switched }: SwitchedProject,
): Promise<Composition> {
  const place = callScope(core, call);
  const { memory } = place.attachment.connection;
  const before = memory.current().switched;
  await memory.keepSwitched(switched);
  try {
    call.lookAgain();
    const { composition } = await compositionFor(place, call);
    if (composition.workspace?.source !== 'switched')
      throw cannotSwitch(project, reasonIn(core, composition, switched), namesIn(composition));
    if (switched === before) return composition;
    if (switched.consented === true)
      await recordGrant(core.settings, switchOriginOf(call), { project, switched });
    const ended = { switched: before, reason: 'another project was chosen' };
    await recordGrantEnd(core.settings.audit, switchOriginOf(call), ended);
    return composition;
  } catch (error) {
    await memory.keepSwitched(before);
    call.lookAgain();
    throw error;
  }
}

function switchOriginOf({ connection, incoming, seen }: Call): SwitchOrigin {
  return { connection, incoming, revision: seen?.composition.open.revision ?? 0 };
}

interface SwitchRequest {
  readonly project: string;
  /** The directory that a relative path starts at. */
  readonly from: string | undefined;
  readonly composition: Composition;
}

/**
 * Returns the text to remember: the place, so that the switch ends with it, or a name if there is no place.
 *
 * @throws {RootwardError} `CANNOT_SWITCH`
 */
async function judgeSwitch(core: AttachedCore, call: Call, request: SwitchRequest): Promise<Switched> {
  const known = grantedRoots(call, request.composition);
  if (known.length > 0) return findSwitch(core, call, { ...request, known });
  const isName = isBareName(expandHome(request.project));
  return isName ? switchToName(core, call, request) : askForSwitch(core, call, request);
}

/**
 * Judges a name where nothing is allowed but the place that a person granted: an unknown name never ends the grant.
 * A preset whose places need not exist accepts any name, and grants nothing by it.
 */
function switchToName(
  { settings: { resolve } }: AttachedCore,
  call: Call,
  { project, composition }: SwitchRequest,
): Switched {
  const { switched } = call.connection.memory.current();
  const known = namesIn(composition);
  if (switched?.consented === true) {
    const { root } = parseRoot({ uri: switched.text });
    const names = [...known, root?.name, composition.workspace?.project.name];
    if (names.includes(project)) return switched;
  } else if (!chainPresets[resolve.preset ?? 'default'].mustExist) return { text: project };
  const reason = known.length === 0 ? `${noSuchName}, because none is known` : noSuchName;
  throw unknownProject(project, reason, { composition, known });
}

const noSuchName = 'no project has that name';

/** Finds the project within what is allowed. */
async function findSwitch(
  { settings }: AttachedCore,
  { incoming }: Call,
  { project, from, composition, known }: SwitchRequest & { readonly known: readonly Root[] },
): Promise<Switched> {
  const search = { composition, settings, from, signal: incoming.signal };
  const found = await findNamedPlace(project, search);
  if (found !== undefined && 'several' in found)
    throw cannotSwitch(project, `${found.several.length} projects have that name`, found.several);
  const bound = bindSwitch({ text: found?.path ?? project }, known);
  if (bound.kind === 'place') return { text: bound.path };
  const isName = isRelative(expandHome(project)) && !/^\.\.(?:$|[\\/])/.test(project);
  const reason = isName ? noSuchName : 'it is outside of what is allowed';
  throw cannotSwitch(project, reason, await findNames(search));
}

/** Asks the person, where nothing is allowed. */
async function askForSwitch(
  core: AttachedCore,
  call: Call,
  { project, composition }: SwitchRequest,
): Promise<Switched> {
  const names = namesIn(composition);
  if (!mayWiden(modeOf(core.settings, call))) throw cannotSwitch(project, 'nothing is allowed', names);
  const uri = expandHome(project);
  const { root, issues } = parseRoot({ uri });
  if (root === undefined) throw cannotSwitch(project, unusable(issues), names);
  // The real place is asked about and stored, because a link could lead elsewhere later.
  const [there] = await core.settings.realPlaces.find([root.path]);
  const real = there?.real ?? root.path;
  const secret = findSecretPlace(core.settings.policy, [root.path, real]);
  if (secret !== undefined)
    throw cannotSwitch(project, `${secret.reason}, so only the operator can name it`, names);
  const wanted = { project, place: real, allowed: describePermitted(core.settings.policy) };
  const isLink = root.path !== real || uri !== project;
  const agreed = canElicit(call)
    ? await askInClient(call, wanted, isLink)
    : await askElsewhere(core, call, wanted);
  if (agreed === true) return { text: real, consented: true };
  if (agreed === undefined) throw notAskedFor(project, root);
  throw cannotSwitch(project, 'nothing is allowed, and no person agreed to it', names);
}

/** Why a text cannot name the project, where nothing is allowed. */
function unusable(issues: readonly RootIssue[]): string {
  const has = (wanted: RootIssueCode): boolean => issues.some(({ code }) => code === wanted);
  if (has('whole-file-system')) return 'it is a whole file system, which is too broad for a project';
  return has('relative') ? 'it is neither an absolute path nor a file URI' : reasonOfIssues(issues);
}

function notAskedFor(project: string, { name }: Root): RootwardError<'NOT_ASKED'> {
  return new RootwardError('NOT_ASKED', {
    operation: 'switch to',
    path: project,
    root: name,
    rule: 'ask:switch',
    reason: 'nothing is allowed, a person has to agree, and no person can be asked',
    remedy: 'start the server with this directory',
  });
}

type WantedPlace = Pick<SwitchQuestion, 'project' | 'place' | 'allowed'>;

async function askInClient(call: Call, wanted: WantedPlace, isLink: boolean): Promise<boolean> {
  const { project, place } = wanted;
  const content = await elicit(call, {
    key: `rootward_switch_${createHash('sha256').update(`${project}\0${place}`).digest('hex').slice(0, 24)}`,
    message: switchWords(wanted, isLink),
    properties: { allow: { type: 'boolean', title: 'Allow' } },
    required: ['allow'],
  });
  return content?.['allow'] === true;
}

/** Milliseconds that a person has to answer. */
const patience = 120_000;

/**
 * Asks where the operator has another way to a person; `undefined` if there is none. The answer of a person who
 * hesitates is no.
 */
async function askElsewhere(
  { settings: { askSwitch } }: AttachedCore,
  { connection, incoming }: Call,
  wanted: WantedPlace,
): Promise<boolean | undefined> {
  const { sessionId: session = connection } = connection;
  const caller = connection.client(incoming)?.name;
  const signal = AbortSignal.any([
    AbortSignal.timeout(patience),
    ...(incoming.signal ? [incoming.signal] : []),
  ]);
  const question = { ...wanted, session, signal, ...(caller !== undefined && { caller }) };
  return askSwitch?.ask(question);
}

function switchWords({ project, place: real, allowed }: WantedPlace, isLink: boolean): string {
  const place = isLink ? `${quote(project)}, which is ${quote(real)}` : quote(project);
  return `Let this server work in ${place}, with everything in it, until it switches again or disconnects? It may then: ${allowed}. Secrets stay refused`;
}

/** The roots without those a person granted by an earlier switch: another place needs its own question. */
function grantedRoots(call: Call, { open }: Composition): readonly Root[] {
  const { switched } = call.connection.memory.current();
  const agreed = switched?.consented === true ? parseRoot({ uri: switched.text }).root?.path : undefined;
  return open.roots.flatMap(({ root }) => (root.path === agreed ? [] : [root]));
}

function cannotSwitch(
  project: string,
  reason: string,
  known: readonly string[],
): RootwardError<'CANNOT_SWITCH'> {
  return new RootwardError('CANNOT_SWITCH', { project, reason, known });
}

/** The refusal of a name that is not known: the known ones, or what to do where there are none. */
function unknownProject(
  project: string,
  reason: string,
  { composition: { error }, known }: Pick<SwitchRequest, 'composition'> & { known: readonly string[] },
): RootwardError<'CANNOT_SWITCH'> {
  const remedy = known.length === 0 ? error?.hint : undefined;
  return new RootwardError('CANNOT_SWITCH', {
    project,
    reason,
    known,
    ...(remedy !== undefined && { remedy }),
  });
}

function reasonIn({ settings }: AttachedCore, { resolution, open }: Composition, { text }: Switched): string {
  const secret = findSecretWithin(settings.policy, open, text);
  if (secret !== undefined) return secret.reason;
  return resolution.trail.find(({ source }) => source === 'switched')?.reason ?? 'it cannot be used';
}

function namesIn({ open }: Pick<Composition, 'open'>): readonly string[] {
  return open.roots.map(({ root }) => root.name);
}
