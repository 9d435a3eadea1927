import { RootwardError } from '../../errors.ts';
import type { Root } from '../../path/root.ts';
import type { AccessRequest } from '../../policy/decide.ts';
import { attach } from '../../server/attach.ts';
import type { AttachOptions } from '../../server/settings/attach-options.ts';
import type { PathCheck } from '../../server/settings/path-check.ts';
import type { Rootward } from '../../server/settings/rootward.ts';
import { SessionServer } from './session-server.ts';

/**
 * The name of the project that a client without any signals would see, for texts written before the client is
 * known. Leaves nothing open and records nothing.
 */
export async function guessProject(options: AttachOptions): Promise<string | undefined> {
  await using rootward = attachToNothing(options);
  try {
    return (await rootward.workspace()).project.name;
  } catch (error) {
    // The first call reports the problem and its remedy.
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}

/**
 * The decision that a client would get, for one of our commands. Leaves nothing open and records nothing. Where nothing
 * is allowed, the decision says so.
 *
 * @throws {RootwardError} `PROJECT_NOT_FOUND` or `AMBIGUOUS_PROJECT`, with the remedy
 */
export async function checkAround(options: AttachOptions, request: AccessRequest): Promise<CheckedAround> {
  await using rootward = attachToNothing(options);
  const roots = await rootward.workspace().then((workspace) => workspace.roots, noneAllowed);
  return { check: await rootward.check(undefined, request), roots };
}

function noneAllowed(error: unknown): readonly Root[] {
  if (RootwardError.is(error, 'NO_ROOTS')) return [];
  throw error;
}

export interface CheckedAround {
  readonly check: PathCheck;
  /** The roots that it was judged in. */
  readonly roots: readonly Root[];
}

function attachToNothing(options: AttachOptions): Rootward {
  const server = new SessionServer({ info: {}, instructions: '', capabilities: {} });
  return attach(server, { ...options, eager: false, trace: () => undefined });
}
