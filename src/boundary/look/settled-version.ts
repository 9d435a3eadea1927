import { stat } from 'node:fs/promises';
import { isErrno } from '../system/errno.ts';

/** Clocks of file systems tick in steps; two changes within one look the same. Milliseconds. */
const settling = 2_000;

/**
 * What tells this version of a file from every later one; `undefined` if nobody can tell, because it changed a
 * moment ago or is not there. Taken before a file is read, an equal version later means that it need not be read
 * again. Nothing is granted by it. Not guaranteed where the clock of a file system is behind ours by seconds.
 */
export async function settledVersion(
  path: string,
  now: () => number = Date.now,
): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = await stat(path, { bigint: true });
    if (now() - Number(ctimeMs) < settling) return undefined;
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    if (!isErrno(error)) throw error;
    return undefined;
  }
}
