import { RootwardError } from '../../../src/errors.ts';

/** How something ended: done, with what was returned, or with the class of an error. */
export interface Outcome {
  readonly end: string;
  readonly result?: unknown;
}

export async function outcomeOf(run: () => unknown): Promise<Outcome> {
  try {
    return { end: 'done', result: await run() };
  } catch (error) {
    if (RootwardError.is(error)) return { end: error.code };
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
      return { end: classes[error.code] ?? error.code };
    }
    throw error;
  }
}

/** What the system's errors mean in our words: written down a second time, so that a slip shows. */
const classes: Readonly<Record<string, string>> = {
  ENOENT: 'NOT_FOUND',
  ENOTDIR: 'NOT_A_DIRECTORY',
  EISDIR: 'IS_A_DIRECTORY',
  EEXIST: 'ALREADY_EXISTS',
  ENOTEMPTY: 'NOT_EMPTY',
  EACCES: 'NO_PERMISSION',
  EPERM: 'NO_PERMISSION',
  ELOOP: 'TOO_MANY_LINKS',
  ENAMETOOLONG: 'NAME_TOO_LONG',
  EINVAL: 'NOT_POSSIBLE',
  EBUSY: 'BUSY',
};
