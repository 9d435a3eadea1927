import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import envPaths from 'env-paths';
import type { Boundary } from '../boundary/boundary.ts';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import { ifThere } from '../boundary/step/if-there.ts';
import { RootwardError } from '../errors.ts';

/** The directories that Rootward uses for one user. They may not exist yet. */
export interface OwnDirectories {
  /** Data that a person writes or decides: roots, permissions, grants, settings. */
  readonly config: string;
  /** Data that can be recreated. */
  readonly cache: string;
  /** The audit log. */
  readonly log: string;
  /** Data about running processes. */
  readonly state: string;
}

/**
 * Returns the platform's directories for this user: `~/.config/rootward` on Linux,
 * `~/Library/Preferences/rootward` on macOS, `%APPDATA%\rootward\Config` on Windows. `ROOTWARD_HOME` puts
 * them all in one place.
 *
 * @throws {RootwardError} `INVALID_PATH` if `ROOTWARD_HOME` is not absolute
 * @example
 * ```ts
 * findDirectories({ ROOTWARD_HOME: '/srv/rootward' }).config // → '/srv/rootward'
 * findDirectories({ ROOTWARD_HOME: 'here' }) // throws INVALID_PATH
 * ```
 */
export function findDirectories(environment: NodeJS.ProcessEnv = process.env): OwnDirectories {
  const { ROOTWARD_HOME: home } = environment;
  if (home === undefined || home === '') return ofPlatform();
  if (!isAbsolute(home)) {
    throw new RootwardError('INVALID_PATH', { path: home, reason: 'ROOTWARD_HOME is not absolute' });
  }
  return { config: home, cache: join(home, 'cache'), log: join(home, 'log'), state: join(home, 'state') };
}

function ofPlatform(): OwnDirectories {
  const { config, cache, log } = envPaths('rootward', { suffix: '' });
  const own = join(homedir(), '.rootward');
  // A relative XDG variable would mean another place in every directory; its standard says to ignore it.
  return {
    config: isAbsolute(config) ? config : own,
    cache: isAbsolute(cache) ? cache : join(own, 'cache'),
    log: isAbsolute(log) ? log : join(own, 'log'),
    state: isAbsolute(log) ? join(log, 'state') : join(own, 'state'),
  };
}

/**
 * Opens a directory of Rootward's own, and creates it first if it is missing, accessible to its owner only.
 * Follows links. Reads and creates nothing where another user of this machine could change something: see
 * `requireOwnPlace`.
 *
 * @throws {RootwardError} `SHARED_PLACE`, `NOT_A_DIRECTORY`
 * @example
 * ```ts
 * const boundary = await openOwnDirectory(process.cwd());
 * boundary.kind // → 'directory'
 * await boundary.close();
 * await openOwnDirectory('package.json') // throws NOT_A_DIRECTORY
 * ```
 */
export async function openOwnDirectory(
  directory: string,
  judge: (path: string) => void = requireOwnPlace,
): Promise<Boundary> {
  const path = resolve(directory);
  judge(path);
  const existing = await ifThere(openBoundary(path));
  if (existing !== undefined) return requireDirectory(existing, directory);
  await using above = await openAbove(path);
  const [top = path] = above.spellings;
  const names = relative(top, path).split(sep);
  // One by one, because `mode` applies only to the last of several new directories.
  for (const index of names.keys())
    await above.makeDirectory(names.slice(0, index + 1).join(sep), { parents: true, mode: 0o700 });
  // Another user may have created it first in a directory that is writable for all.
  judge(path);
  return await requireDirectory(await openBoundary(path), directory);
}

async function requireDirectory(boundary: Boundary, path: string): Promise<Boundary> {
  if (boundary.kind === 'directory') return boundary;
  await boundary.close();
  throw new RootwardError('NOT_A_DIRECTORY', { verb: 'open', path });
}

/** Opens the nearest existing directory above; the top of a file system always exists. */
async function openAbove(path: string): Promise<Boundary> {
  const parent = dirname(path);
  const boundary = parent === path ? await openBoundary(parent) : await ifThere(openBoundary(parent));
  return boundary ?? openAbove(parent);
}
