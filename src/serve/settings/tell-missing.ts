import { type LookRefusal, lookAt } from '../../boundary/look/look-at.ts';
import { isInside } from '../../path/inside.ts';
import { parseRoots } from '../../path/root.ts';
import { bindRules } from '../../policy/rules/bind-rules.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { quote } from '../../base/quote.ts';
import { ruledCeiling } from '../../server/compose/name-safely.ts';
import type { CliContext } from './process-context.ts';
import type { ServeSettings } from './serve-settings.ts';

const reasons: Readonly<Record<LookRefusal, string>> = {
  missing: 'it does not exist; once it does, it is reached within some seconds',
  'no-permission': 'this user may not open it',
  silent: 'its file system does not answer',
};

/**
 * Tells the operator which of the named directories, and whether the named project, cannot be reached, a line each.
 * The server starts all the same: the others can be, and what is missing may come.
 */
export async function tellMissing(
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

/** What cannot be read as a place at all is refused, not told. */
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

/** The directory around a path that the path leaves again through a link. Such a root is not opened. */
async function findLeft(path: string, real: string, named: readonly string[]): Promise<string | undefined> {
  for (const above of named.filter((other) => other !== path && isInside(other, path))) {
    const look = await lookAt(above);
    if ('real' in look && !isInside(look.real, real)) return above;
  }
  return undefined;
}

/**
 * Tells the operator which rules fit none of the named directories, and which names fit several,
 * a line each. Where no directory is named, the roots are not known yet; then `why` tells.
 */
export function tellRules(
  { process: { stderr } }: CliContext,
  { directories = [], project, policy }: Pick<ServeSettings, 'directories' | 'project' | 'policy'>,
): void {
  const named = directories.length > 0 || project === undefined ? directories : [project];
  // To compile rules takes a while at every start, and most policies have none for single roots.
  if (named.length === 0 || policy.roots === undefined) return;
  const { roots } = parseRoots(named.map((uri) => ({ uri })));
  const { notes } = bindRules(parsePolicy(policy), ruledCeiling(roots));
  for (const note of notes) stderr.write(`rootward: Warning: ${note}\n`);
}
