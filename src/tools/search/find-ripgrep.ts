import { findProgram, isProgram } from '../../boundary/process/find-program.ts';

type Load = () => Promise<{ readonly rgPath: string }>;

const loadOwn: Load = () => import('@vscode/ripgrep');

/**
 * The absolute path of ripgrep: the one that came with us, or one of the system. The one that came with us is as
 * good as the rest of our code, which lies beside it.
 */
export async function findRipgrep(
  environment: NodeJS.ProcessEnv,
  load: Load = loadOwn,
): Promise<string | undefined> {
  return (await findOwn(load)) ?? findProgram('rg', environment['PATH']).file;
}

/** Those that would be used, were they safe to start, each with the reason. */
export async function findUnsafeRipgreps(
  environment: NodeJS.ProcessEnv,
  load: Load = loadOwn,
): Promise<readonly string[]> {
  const { passedOver } = findProgram('rg', environment['PATH']);
  return passedOver.length === 0 || (await findOwn(load)) !== undefined ? [] : passedOver;
}

async function findOwn(load: Load): Promise<string | undefined> {
  const own = await load().then(
    ({ rgPath }) => rgPath,
    // An optional dependency that is not there for this system.
    () => undefined,
  );
  return own !== undefined && isProgram(own) ? own : undefined;
}
