import { readlink, realpath, stat, statfs } from 'node:fs/promises';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
import { keptIdentity } from '../step/kept-places.ts';
import { isExactDisk, listedPath } from '../system/disk-names.ts';
import { isErrno, translate } from '../system/errno.ts';

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

interface FollowedLink {
  /** As far as it exists without links, the rest as it was. */
  readonly real: string;
  /** The path with its first dangling link followed. */
  readonly next?: string;
}

/** Looks for the part that exists, from the end; the first thing after it may be a link that leads nowhere. */
async function followOne(path: string): Promise<FollowedLink> {
  for (let part = path; ; part = dirname(part)) {
    const real = await unlessMissing(realpath(part));
    const rest = relative(part, path);
    if (real !== undefined) return { real: join(await asListed(real), rest) };
    if (part === dirname(part)) return { real: path };
    const target = await unlessMissing(readlink(part));
    if (target !== undefined) return { real: path, next: join(resolve(dirname(part), target), rest) };
  }
}

/** Two spellings of one place are one path, also where the disk opens it by both. */
async function asListed(real: string): Promise<string> {
  if (process.platform !== 'linux' || isExactDisk((await statfs(real)).type)) return real;
  return listedPath(real);
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

/** A place of our own, and everything that leads there. */
export interface OwnPlace {
  readonly real: string;
  /** The links that are followed on the way, each at its own real place: to exchange one of them moves the place. */
  readonly links: readonly string[];
  /** Of a regular file that is there. */
  readonly file?: { readonly identity: string; readonly linked: boolean };
}

/**
 * Where a path leads, the links on the way, and which file it is. For places of our own, as `findRealPlace`.
 *
 * @throws {RootwardError} `TOO_MANY_LINKS`, `NO_PERMISSION`
 */
export async function findOwnPlace(given: string): Promise<OwnPlace> {
  const real = await findRealPlace(given);
  const links = real === resolve(given) ? [] : await findLinks(resolve(given));
  const stats = await unlessMissing(stat(real)).catch(() => undefined);
  if (stats?.isFile() !== true) return { real, links };
  return { real, links, file: { identity: keptIdentity(stats), linked: stats.nlink > 1 } };
}

async function findLinks(path: string): Promise<readonly string[]> {
  const links: string[] = [];
  const { root } = parse(path);
  const namesIn = (text: string): string[] => text.slice(root.length).split(sep).toReversed();
  const pending = namesIn(path);
  for (let at = root; pending.length > 0 && links.length <= mostLinks;) {
    const place = join(at, pending.pop() ?? '');
    const target = await unlessMissing(readlink(place)).catch(() => undefined);
    if (target === undefined) at = place;
    else {
      links.push(place);
      pending.push(...namesIn(resolve(at, target)));
      at = root;
    }
  }
  return links;
}

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
