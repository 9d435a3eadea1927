import { findProgram, holderOf, isProgram } from '../../boundary/find-program.ts';

export interface FindRipgrepOptions {
  /** The roots of the call: a tool could write another program in them. */
  readonly roots?: readonly string[];
  /** The one that came with us. */
  readonly load?: () => Promise<{ readonly rgPath: string }>;
}

/**
 * The absolute path of ripgrep: the one that came with us, or one that is installed. One that came with us is as
 * good as the rest of our own code, unless it lies in a root, as it does where this package is installed in the
 * project itself: it would run at once, while our own code stays as it was loaded.
 */
export async function findRipgrep(
  environment: NodeJS.ProcessEnv,
  { roots = [], load = () => import('@vscode/ripgrep') }: FindRipgrepOptions = {},
): Promise<string | undefined> {
  const own = await load().then(
    ({ rgPath }) => rgPath,
    // An optional dependency that is not there for this system.
    () => undefined,
  );
  const isOwn = own !== undefined && isProgram(own) && holderOf(own, roots) === undefined;
  return isOwn ? own : findProgram('rg', environment['PATH'], roots).file;
}
