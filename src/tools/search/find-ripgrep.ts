import { findProgram, isProgram } from '../../boundary/find-program.ts';

/** The absolute path of ripgrep: the one that came with us, or one that is installed. */
export async function findRipgrep(
  environment: NodeJS.ProcessEnv,
  load: () => Promise<{ readonly rgPath: string }> = () => import('@vscode/ripgrep'),
): Promise<string | undefined> {
  const own = await load().then(
    ({ rgPath }) => rgPath,
    // An optional dependency that is not there for this system.
    () => undefined,
  );
  return own !== undefined && isProgram(own) ? own : findProgram('rg', environment['PATH']);
}
