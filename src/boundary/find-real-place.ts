import { readlink, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { isErrno, translate } from './errno.ts';

/** As many links as Linux follows. */
const mostLinks = 40;

/**
 * Where a path leads when every link in it is followed, whether or not anything is there: a link may lead to what
 * is to be made. Only for places of our own, which their owner has put where they are.
 *
 * @throws {RootwardError} `TOO_MANY_LINKS`, `NO_PERMISSION`
 */
export async function findRealPlace(given: string): Promise<string> {
  let path = resolve(given);
  try {
    for (let links = 0; links <= mostLinks; links += 1) {
      const { real, next } = await followOne(path);
      if (next === undefined) return real;
      path = next;
    }
    return await realpath(path);
  } catch (error) {
    throw translate(error, { verb: 'open', path: given });
  }
}

interface Followed {
  /** As far as it exists without links, the rest as it was. */
  readonly real: string;
  /** The path with its first dangling link followed. */
  readonly next?: string;
}

/** Looks for the part that exists, from the end; the first thing after it may be a link that leads nowhere. */
async function followOne(path: string): Promise<Followed> {
  for (let part = path; ; part = dirname(part)) {
    const real = await unlessMissing(realpath(part));
    const rest = relative(part, path);
    if (real !== undefined || part === dirname(part)) return { real: join(real ?? part, rest) };
    const target = await unlessMissing(readlink(part));
    if (target !== undefined) return { real: path, next: join(resolve(dirname(part), target), rest) };
  }
}

async function unlessMissing<Result>(looking: Promise<Result>): Promise<Result | undefined> {
  try {
    return await looking;
  } catch (error) {
    // EINVAL is what readlink says of something that is no link.
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EINVAL')) return undefined;
    throw error;
  }
}
