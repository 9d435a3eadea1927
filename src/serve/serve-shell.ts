import { quote } from '../base/quote.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import type { Confinement } from '../boundary/process/confinement.ts';
import { RootwardError } from '../errors.ts';
import { isInside } from '../path/inside.ts';
import { parseRoots } from '../path/root.ts';
import type { ShellLimits, ShellOptions } from '../tools/shell.ts';
import type { Tool } from '../tools/tool/tool.ts';
import { forbiddenPlaces, spellPlaces } from './forbidden-places.ts';
import type { CliContext, TerminalStream } from './settings/process-context.ts';
import type { ServeSettings, ShellSettings } from './settings/serve-settings.ts';

/**
 * Creates the shell tool with the operator's settings. If no sandbox is available there is no shell tool, unless
 * the operator explicitly allows one; either is printed at start.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export async function findShell(
  context: CliContext,
  settings: Pick<ServeSettings, 'allowUnconfinedShell' | 'shell' | 'ownFiles' | 'directories'>,
): Promise<readonly Tool[]> {
  const { env = {}, stderr } = context.process;
  const { allowUnconfinedShell, shell, directories = [] } = settings;
  await requireReadable(shell);
  await refuseOwn(shell, forbiddenPlaces(context, settings));
  const [{ probeConfinement }, { createShell }] = await Promise.all([
    import('../boundary/process/confinement.ts'),
    import('../tools/shell.ts'),
  ]);
  const { roots } = parseRoots(directories.map((uri) => ({ uri })));
  const confinement = await probeConfinement({ roots: roots.map(({ path }) => path) });
  await tellWhy(stderr, confinement, allowUnconfinedShell);
  const tool = createShell({
    confinement,
    allowUnconfined: allowUnconfinedShell,
    environment: env,
    ...shellOptions(shell),
  });
  return tool === undefined ? [] : [tool];
}

const mebibyte = 1_048_576;

/** The limits in the units of the tool. */
export function shellOptions(shell: ShellSettings): Omit<ShellOptions, 'confinement'> {
  const { shellNetwork, shellEnv, shellRead } = shell;
  return {
    ...(shellNetwork !== undefined && { allowNetwork: shellNetwork }),
    ...(shellEnv && { passEnvironment: shellEnv }),
    ...(shellRead && { readable: shellRead }),
    limits: {
      ...limit('milliseconds', shell.shellTimeout, 1_000),
      ...limit('memory', shell.shellMemory, mebibyte),
      ...limit('processes', shell.shellProcesses),
      ...limit('output', shell.shellOutput, mebibyte),
      ...limit('temporary', shell.shellTmp, mebibyte),
      ...limit('concurrent', shell.shellConcurrent),
    },
  };
}

function limit(name: keyof ShellLimits, value: number | undefined, unit = 1): Partial<ShellLimits> {
  return value === undefined ? {} : { [name]: value * unit };
}

/** Refuses missing places: the sandbox would leave them out, and a failing command could not tell why. */
async function requireReadable({ shellRead = [] }: ShellSettings): Promise<void> {
  for (const directory of shellRead) {
    try {
      await (await openBoundary(directory)).close();
    } catch (error) {
      if (!RootwardError.is(error)) throw error;
      const reason = `${quote(directory)} cannot be shown to command lines: ${error.message}`;
      throw new RootwardError('INVALID_CONFIG', { where: '--shell-read', reason }, { cause: error });
    }
  }
}

/** Refuses places that hold our own files, because no rule applies inside places shown to command lines. */
async function refuseOwn({ shellRead = [] }: ShellSettings, own: readonly string[]): Promise<void> {
  const places = await spellPlaces(own);
  for (const directory of shellRead) {
    const spelled = await spellPlaces([directory]);
    const held = places.find((place) =>
      spelled.some((shown) => isInside(shown, place) || isInside(place, shown)),
    );
    if (held === undefined) continue;
    const reason = `${quote(directory)} cannot be shown to command lines: ${quote(held)} belongs to this server; name a smaller directory`;
    throw new RootwardError('INVALID_CONFIG', { where: '--shell-read', reason });
  }
}

/** Printed by one process for all workers. */
async function tellWhy(stderr: TerminalStream, confinement: Confinement, isWanted: boolean): Promise<void> {
  const { isWorker } = await import('./serve-workers.ts');
  if (isWorker()) return;
  for (const line of linesFor(confinement, isWanted)) stderr.write(`rootward: ${line}\n`);
}

function linesFor(confinement: Confinement, isWanted: boolean): readonly string[] {
  if (confinement.kind === 'bubblewrap') return confinement.passedOver ?? [];
  const { reason } = confinement;
  return isWanted
    ? [`the shell tool is NOT CONFINED and can reach whatever its user can: ${reason}`]
    : [`the shell tool is not offered, because it cannot be confined: ${reason}`];
}
