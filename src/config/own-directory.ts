import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import envPaths from 'env-paths';
import { RootwardError } from '../errors.ts';

/** Where Rootward keeps what belongs to a person. None of them need exist. */
export interface Directories {
  /** Roots, permissions, grants, settings: what a person writes or decides. */
  readonly config: string;
  /** What can be made again. */
  readonly cache: string;
  /** What happened: the audit log. */
  readonly log: string;
  /** What is so now: the processes that run. */
  readonly state: string;
}

/**
 * The platform's directories for this user: `~/.config/rootward` on Linux, `~/Library/Preferences/rootward` on
 * macOS, `%APPDATA%\rootward\Config` on Windows. `ROOTWARD_HOME` puts them all in one place.
 *
 * @throws {RootwardError} `INVALID_PATH` if `ROOTWARD_HOME` is not absolute
 * @example
 * ```ts
 * findDirectories({ ROOTWARD_HOME: '/srv/rootward' }).config // → '/srv/rootward'
 * findDirectories({ ROOTWARD_HOME: 'here' }) // throws INVALID_PATH
 * ```
 */
export function findDirectories(environment: NodeJS.ProcessEnv = process.env): Directories {
  const { ROOTWARD_HOME: home } = environment;
  if (home === undefined || home === '') return ofPlatform();
  if (!isAbsolute(home)) {
    throw new RootwardError('INVALID_PATH', { path: home, reason: 'ROOTWARD_HOME is not absolute' });
  }
  return { config: home, cache: join(home, 'cache'), log: join(home, 'log'), state: join(home, 'state') };
}

function ofPlatform(): Directories {
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
