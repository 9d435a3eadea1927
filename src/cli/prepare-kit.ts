import { createRequire } from 'node:module';
import type { Operation } from '../boundary/operation.ts';
import { parseRoots } from '../path/root.ts';
import { parsePolicy, type Policy } from '../policy/policy.ts';
import type { AttachOptions } from '../server/attach-options.ts';
import { readSettings } from '../server/settings.ts';
import { allTools } from '../tools/all-tools.ts';
import { possibleOperations, writeInstructions } from '../tools/ready/instructions.ts';
import type { KitOptions } from '../tools/ready/kit.ts';
import type { Tool } from '../tools/tool.ts';
import type { CliContext } from './command-context.ts';
import type { FollowedStore } from './follow-store.ts';
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
  { audit, log, store }: KitParts,
): Promise<KitOptions> {
  const { directories, project, merge, markers, debug } = settings;
  const policy = parsePolicy(settings.policy);
  const possible = operationsNow(policy, store);
  const attach: AttachOptions = {
    policy,
    audit,
    cwd,
    environment: env,
    trace: (event) => {
      if (debug || event.kind !== 'composed') log(event);
    },
    ...(directories && { ceiling: directories }),
    ...(store && { operator: store.operator }),
    ...(project !== undefined && { project }),
    ...(merge && { merge }),
    ...(markers && { markers }),
  };
  // A mistake is said now, to whoever starts the server, and not to its first client.
  readSettings(attach);
  const ceiling = directories && parseRoots(directories.map((uri) => ({ uri }))).roots;
  const shell = possible().includes('execute') ? await findShell(settings, env) : [];
  const offers = (tool: Tool): boolean => tool.operations.every((needed) => possible().includes(needed));
  return {
    version,
    attach,
    // A store may allow more tomorrow than it does today.
    tools: [...(store === undefined ? allTools.filter(offers) : allTools), ...shell],
    instructions: writeInstructions({ policy, ceiling, kept: store !== undefined }),
    ...(store && { offers }),
  };
}

/** What a server is made of, beside its settings. */
type KitParts = Records & { readonly store?: FollowedStore | undefined };

/** What may be done somewhere, by the command or by the store. */
function operationsNow(policy: Policy, store: FollowedStore | undefined): () => readonly Operation[] {
  const always = possibleOperations(policy);
  return () => [...always, ...(store?.operations() ?? [])];
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
