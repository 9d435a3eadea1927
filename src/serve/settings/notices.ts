import { nearestName } from '../../base/nearest-name.ts';
import { quote } from '../../base/quote.ts';
import { lookAt, type LookRefusal } from '../../boundary/look/look-at.ts';
import { isInside } from '../../path/inside.ts';
import { parseRoots } from '../../path/root.ts';
import type { MergeMode } from '../../policy/merge.ts';
import { bindRules } from '../../policy/rules/bind-rules.ts';
import { parsePolicy, type Policy } from '../../policy/rules/policy.ts';
import { findSecretPlace } from '../../policy/rules/secret-paths.ts';
import { ruledCeiling } from '../../server/compose/effective-roots.ts';
import type { CliContext } from './process-context.ts';
import { isPublic, parseServeAddress } from './serve-address.ts';
import { flagOf, type ServeFlags, serveOptionList } from './serve-options.ts';
import type { ServeSettings } from './serve-settings.ts';
import { serveVariables } from './serve-variables.ts';

type NoticeSettings = Pick<ServeSettings, 'http' | 'hosts' | 'directories' | 'project' | 'store' | 'merge'>;

/** Warnings for the operator of an HTTP server, one per line. */
export function serveNotices(settings: NoticeSettings): readonly string[] {
  const { http, hosts } = settings;
  if (http === undefined) return [];
  const lines = [];
  if (isPublic(parseServeAddress(http), []))
    lines.push(
      `other machines can reach this address, and plain HTTP does not hide the token. Put TLS in front of it. It answers to ${hosts.join(', ') || 'no name'}`,
    );
  const { directories, project, store, merge = 'intersect' } = settings;
  const isNamed = store || project !== undefined || (directories?.length ?? 0) > 0;
  const unnamed = isNamed ? undefined : withoutDirectories[merge];
  return unnamed === undefined ? lines : [...lines, `no directory is named, so ${unnamed}`];
}

/** The reach of clients if the operator named nothing, for the modes in which an operator should know it. */
const withoutDirectories: { readonly [Mode in MergeMode]?: string } = {
  intersect:
    'nothing can be reached: name directories, use your stored roots with --store, or, on this machine only, the roots that clients list with --merge client',
  operator: 'every client reaches the project in which this server was started',
};

const reasons: Readonly<Record<LookRefusal, string>> = {
  missing: 'it does not exist; it is served a few seconds after it appears',
  'no-permission': 'this user may not open it',
  silent: 'its file system does not answer',
};

/**
 * Tells the operator which named directories, and whether the named project, cannot be reached, one line each. The
 * server starts anyway: the others work, and missing ones may appear.
 */
export async function warnOfMissing(
  { process: { stderr } }: CliContext,
  { directories = [], project }: Pick<ServeSettings, 'directories' | 'project'>,
): Promise<void> {
  const named = pathsIn(directories);
  const pinned = pathsIn(project === undefined ? [] : [project]).filter((path) => !named.includes(path));
  const lines = await Promise.all([
    ...named.map(async (path) => faultOf('directory', path, named)),
    ...pinned.map(async (path) => faultOf('project', path, named)),
  ]);
  for (const line of lines) if (line !== undefined) stderr.write(`rootward: Warning: ${line}\n`);
}

/** The paths of the texts. A text that is not a path is refused elsewhere. */
function pathsIn(texts: readonly string[]): readonly string[] {
  return parseRoots(texts.map((uri) => ({ uri }))).roots.map(({ path }) => path);
}

async function faultOf(
  what: 'directory' | 'project',
  path: string,
  named: readonly string[],
): Promise<string | undefined> {
  const reason = await reasonOf(path, named);
  return reason === undefined ? undefined : `Cannot access ${what} ${quote(path)}: ${reason}`;
}

async function reasonOf(path: string, named: readonly string[]): Promise<string | undefined> {
  const look = await lookAt(path);
  if ('refused' in look) return reasons[look.refused];
  if (look.kind !== 'directory' && look.kind !== 'file') return 'it is neither a directory nor a file';
  if (!look.readable) return reasons['no-permission'];
  const left = await findLeft(path, look.real, named);
  return (
    left && `a link in it leads out of ${quote(left)}, which is served too; name the place that it leads to`
  );
}

/** The directory around a path that the path leaves through a link. Such a root is not opened. */
async function findLeft(path: string, real: string, named: readonly string[]): Promise<string | undefined> {
  for (const above of named.filter((other) => other !== path && isInside(other, path))) {
    const look = await lookAt(above);
    if ('real' in look && !isInside(look.real, real)) return above;
  }
  return undefined;
}

/**
 * Tells the operator which rules match no named directory, and which names match several, one line each. Without
 * named directories the roots are not known yet; `why` reports it then.
 */
export function warnOfRules(
  { process: { stderr } }: CliContext,
  { directories = [], project, policy }: Pick<ServeSettings, 'directories' | 'project' | 'policy'>,
): void {
  const named = directories.length > 0 || project === undefined ? directories : [project];
  // Compiling rules costs time at every start, and most policies have none for single roots.
  if (named.length === 0 || policy.roots === undefined) return;
  const { roots } = parseRoots(named.map((uri) => ({ uri })));
  const { notes } = bindRules(parsePolicy(policy), ruledCeiling(roots));
  for (const note of notes) stderr.write(`rootward: Warning: ${note}\n`);
}

/**
 * Tells the operator which of the places that they named or kept are secret places, one line each. A client could not
 * name them; the operator's word is enough.
 */
export async function tellSecretPlaces(
  { process: { stderr } }: Pick<CliContext, 'process'>,
  policy: Policy,
  paths: readonly string[],
): Promise<void> {
  for (const path of new Set(paths)) {
    const look = await lookAt(path);
    const secret = findSecretPlace(policy, 'real' in look ? [path, look.real] : [path]);
    if (secret === undefined) continue;
    const line = `${quote(path)} is a root because it was named or kept, and ${secret.reason}`;
    stderr.write(`rootward: Warning: ${line}\n`);
  }
}

/** The prefix of all our variables. */
const ours = 'ROOTWARD_';

/** Variables that are read elsewhere. */
const others = ['HOME', 'TOKEN', 'SEALING_KEY', 'SESSIONS_PASSWORD', 'WORKER_PORT'].map(
  (name) => ours + name,
);

/**
 * Tells the operator which settings have no effect, one line each. A misspelled variable could otherwise serve
 * more than intended. Prints no values.
 */
export function warnOfUnread(
  { process: { stderr, env = {} } }: CliContext,
  flags: ServeFlags,
  { http }: Pick<ServeSettings, 'http'>,
): void {
  const lines = [...unknownVariables(env), ...(http === undefined ? idleFlags(flags) : [])];
  for (const line of lines) stderr.write(`rootward: Warning: ${line}\n`);
}

function unknownVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = [...serveVariables, ...others];
  const present = Object.keys(env).filter((name) => name.startsWith(ours) && env[name] !== '');
  return present
    .filter((name) => !known.includes(name))
    .map((name) => `${quote(name)} is unknown and has no effect${suggestion(name, known)}`);
}

function suggestion(name: string, known: readonly string[]): string {
  const bare = known.map((other) => other.slice(ours.length));
  const nearest = nearestName(name.slice(ours.length), bare);
  return nearest === undefined ? '' : `; did you mean ${ours}${nearest}?`;
}

/** Only flags: variables and files may be meant for another server that does listen. */
function idleFlags(flags: ServeFlags): readonly string[] {
  return serveOptionList
    .filter(([name, { overHttp }]) => overHttp === true && flags[name as keyof ServeFlags] !== undefined)
    .map(([name]) => `${flagOf(name)} has no effect without --http`);
}
