import { lstat, opendir } from 'node:fs/promises';
import { isErrno } from '../system/errno.ts';
import { lastingIdentity } from './look-at.ts';

export interface FindByIdentityOptions {
  /** How many names to look at; 10,000 by default. */
  readonly entries?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The name that something has in a directory now, by its identity; `undefined` if it is not seen there. */
export async function findByIdentity(
  directory: string,
  identity: string,
  { entries: most = 10_000, signal }: FindByIdentityOptions = {},
): Promise<string | undefined> {
  try {
    let seen = 0;
    for await (const { name } of await opendir(directory)) {
      seen += 1;
      if (seen > most || signal?.aborted === true) return undefined;
      if ((await identityAt(`${directory}/${name}`)) === identity) return name;
    }
  } catch (error) {
    // A directory that cannot be listed holds nothing that could be found.
    if (!isErrno(error)) throw error;
  }
  return undefined;
}

async function identityAt(path: string): Promise<string | undefined> {
  try {
    return lastingIdentity(await lstat(path, { bigint: true }));
  } catch (error) {
    if (isErrno(error)) return undefined;
    throw error;
  }
}
