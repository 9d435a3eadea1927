import { createRequire } from 'node:module';
import { parseRoots } from '../path/root.ts';
import { parsePolicy } from '../policy/policy.ts';
import type { AttachOptions } from '../server/attach-options.ts';
import { allTools } from '../tools/all-tools.ts';
import { possibleOperations, writeInstructions } from '../tools/ready/instructions.ts';
import type { KitOptions } from '../tools/ready/kit.ts';
import type { CliContext } from './command-context.ts';
import type { Records } from './open-records.ts';
import type { ServeSettings } from './serve-settings.ts';

const { version } = createRequire(import.meta.url)('rootward/package.json') as { version: string };

/**
 * Makes a server of the settings.
 *
 * @throws {RootwardError} `INVALID_POLICY`
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
  const ceiling = directories && parseRoots(directories.map((uri) => ({ uri }))).roots;
  return {
    version,
    attach,
    tools: allTools.filter((tool) => tool.operations.every((needed) => possible.includes(needed))),
    instructions: writeInstructions({ policy, ceiling }),
  };
}
