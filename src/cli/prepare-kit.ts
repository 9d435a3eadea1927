import { createRequire } from 'node:module';
import { parseRoots } from '../path/root.ts';
import { parsePolicy } from '../policy/policy.ts';
import type { AttachOptions } from '../server/attach-options.ts';
import { readSettings } from '../server/settings.ts';
import { allTools } from '../tools/all-tools.ts';
import { possibleOperations, writeInstructions } from '../tools/ready/instructions.ts';
import type { KitOptions } from '../tools/ready/kit.ts';
import type { Tool } from '../tools/tool.ts';
import type { CliContext } from './command-context.ts';
import type { Records } from './open-records.ts';
import type { ServeSettings } from './serve-settings.ts';

const { version } = createRequire(import.meta.url)('rootward/package.json') as { version: string };

/**
 * Makes a server of the settings.
 *
 * @throws {RootwardError} `INVALID_POLICY`, `INVALID_PATH`, `INVALID_MARKER`
 */
export async function prepareKit(
  { cwd, process: { env = {} } }: CliContext,
  settings: ServeSettings,
  { audit, log }: Records,
): Promise<KitOptions> {
  const { directories, project, merge, markers, debug } = settings;
  const policy = parsePolicy(settings.policy);
  const possible = possibleOperations(policy);
  const attach: AttachOptions = {
    policy,
    audit,
    cwd,
    environment: env,
    trace: (event) => {
      if (debug || event.kind !== 'composed') log(event);
    },
    ...(directories && { ceiling: directories }),
    ...(project !== undefined && { project }),
    ...(merge && { merge }),
    ...(markers && { markers }),
  };
  // A mistake is said now, to whoever starts the server, and not to its first client.
  readSettings(attach);
  const ceiling = directories && parseRoots(directories.map((uri) => ({ uri }))).roots;
  const shell = possible.includes('execute') ? await findShell(settings, env) : [];
  return {
    version,
    attach,
    tools: [
      ...allTools.filter((tool) => tool.operations.every((needed) => possible.includes(needed))),
      ...shell,
    ],
    instructions: writeInstructions({ policy, ceiling }),
  };
}

/** Where nothing can confine a program there is no shell, unless the operator wants it so. */
async function findShell(
  { allowUnconfinedShell }: ServeSettings,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly Tool[]> {
  const [{ probeConfinement }, { createShell }] = await Promise.all([
    import('../boundary/confinement.ts'),
    import('../tools/shell.ts'),
  ]);
  const confinement = await probeConfinement();
  const shell = createShell({ confinement, allowUnconfined: allowUnconfinedShell, environment });
  return shell === undefined ? [] : [shell];
}
