import { readlink, realpath, stat, statfs } from 'node:fs/promises';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
import { keptIdentity } from '../step/open-file.ts';
import { isExactDisk, listedPath } from '../system/disk-names.ts';
import { isErrno, translate } from '../system/errno.ts';

/** The limit of Linux. */
const mostLinks = 40;

/**
 * Resolves every link of a path, whether or not the target exists: a link may lead to a file that is yet to
 * be created. Only for Rootward's own files, whose location their owner chose.
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
  /** The existing part without links, and the rest unchanged. */
  readonly real: string;
  /** The path with its first dangling link followed. */
  readonly next?: string;
}

/** Finds the existing part, from the end; the first name after it may be a dangling link. */
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

/** Two spellings of one place become one path, even if the disk accepts both. */
async function asListed(real: string): Promise<string> {
  if (process.platform !== 'linux' || isExactDisk((await statfs(real)).type)) return real;
  return listedPath(real);
}

async function unlessMissing<Result>(looking: Promise<Result>): Promise<Result | undefined> {
  try {
    return await looking;
  } catch (error) {
    // `readlink` reports EINVAL for an entry that is not a link.
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EINVAL')) return undefined;
    throw error;
  }
}

/** One of Rootward's own files, and everything that leads there. */
export interface OwnPlace {
  readonly real: string;
  /** The links on the way, each at its real path: replacing one of them moves the place. */
  readonly links: readonly string[];
  /** Set for an existing regular file. */
  readonly file?: { readonly identity: string; readonly linked: boolean };
}

/**
 * Finds the real path of a file, the links on the way, and its identity. For Rootward's own files, like
 * `findRealPlace`.
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

/** Milliseconds. File system clocks tick in steps; two changes within one step look the same. */
const settling = 2_000;

/**
 * Returns a version that differs from every later state of a file, or `undefined` if that is uncertain
 * because it changed a moment ago or does not exist. If the version taken before reading is still the same
 * later, the file need not be read again. Grants nothing. Not guaranteed where the clock of a file system
 * lags by seconds.
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
