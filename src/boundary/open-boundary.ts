import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { RootwardError } from '../errors.ts';
import { hostPlatform } from '../path/platform.ts';
import { Boundary } from './boundary.ts';
import type { BoundaryContext, BoundaryLimits, Guard, KeptPlaces } from './context.ts';
import type { Directory, Driver } from './driver.ts';
import { translate } from './errno.ts';
import { kindOf } from './file-info.ts';
import { Lease } from './lease.ts';
import { bestLevel, type BoundaryLevel, requireStrength } from './level.ts';
import { createSystemPathDriver } from './path-driver.ts';
import { hasProc, procDriver } from './proc-driver.ts';

export interface BoundaryOptions {
  /** What the root is called in messages; its last name by default. */
  readonly name?: string;
  /** Refuses to open with less. By default what the system can do at best: `kernel` on Linux. */
  readonly requireLevel?: BoundaryLevel;
  /** Files with a second name: `allow` by default, because package stores are made of them. */
  readonly hardLinks?: 'allow' | 'refuse';
  /** Mounts within the root: `allow` by default. */
  readonly mounts?: 'allow' | 'refuse';
  /** Absolute links: `refuse` by default; `reroot` follows those that lead beneath this root. */
  readonly absoluteLinks?: 'refuse' | 'reroot';
  readonly limits?: Partial<BoundaryLimits>;
  /** Asked for every name that is looked at. */
  readonly guard?: Guard;
  /** Places of the program itself, which may lie in the root. */
  readonly kept?: KeptPlaces;
}

const defaultLimits: BoundaryLimits = { fileSize: 64 * 1024 * 1024, listEntries: 100_000 };

/**
 * Opens a directory, or one file, as the only thing that can be reached through it. Links in the path itself
 * are followed, once, now.
 *
 * @throws {RootwardError} `NOT_FOUND`, `WEAK_LEVEL`, `SPECIAL_FILE`, `NO_PERMISSION`
 * @example
 * ```ts
 * const boundary = await openBoundary(process.cwd(), { name: 'app' });
 * boundary.name // → 'app'
 * boundary.kind // → 'directory'
 * await boundary.close();
 * await boundary.list('.') // throws CLOSED
 * ```
 */
export async function openBoundary(directory: string, options: BoundaryOptions = {}): Promise<Boundary> {
  const driver = chooseDriver(options.requireLevel ?? bestLevel(process.platform));
  return openWith(driver, directory, options);
}

function chooseDriver(required: BoundaryLevel): Driver {
  const driver =
    process.platform === 'linux' && hasProc() ? procDriver : createSystemPathDriver(process.platform);
  requireStrength(driver.level, required);
  return driver;
}

/** @internal For tests that run a weaker driver on a stronger system. */
export function openWith(driver: Driver, given: string, options: BoundaryOptions): Boundary {
  const path = resolve(given);
  const name = options.name ?? (basename(path) || path);
  const { top, only, spellings } = openTop(driver, path, given);
  const context: BoundaryContext = {
    driver,
    top,
    only,
    name,
    lease: new Lease(name, () => driver.close(top)),
    swept: new Map(),
    platform: hostPlatform,
    limits: { ...defaultLimits, ...options.limits },
    hardLinks: options.hardLinks ?? 'allow',
    mount: options.mounts === 'refuse' ? driver.mountOf(top) : undefined,
    spellings,
    reroot: options.absoluteLinks === 'reroot',
    guard: options.guard,
    kept: options.kept,
  };
  return new Boundary(context);
}

interface Top {
  readonly top: Directory;
  readonly only: string | undefined;
  readonly spellings: readonly string[];
}

/** Follows the path once, by opening it; what is known about the root is what the handle tells. */
function openTop(driver: Driver, path: string, given: string): Top {
  try {
    const stats = statSync(path);
    if (stats.isFile()) return openFileTop(driver, path);
    if (!stats.isDirectory()) {
      throw new RootwardError('SPECIAL_FILE', { verb: 'open', path: given, kind: kindOf(stats) });
    }
    const top = driver.openTop(path);
    return { top, only: undefined, spellings: [...new Set([path, driver.realPath(top)])] };
  } catch (error) {
    throw translate(error, { verb: 'open', path: given });
  }
}

/** A file is reached through its directory, and is the only thing reached there. */
function openFileTop(driver: Driver, path: string): Top {
  const real = realpathSync.native(path);
  const only = basename(real);
  const top = driver.openTop(dirname(real));
  return { top, only, spellings: [...new Set([path, join(driver.realPath(top), only)])] };
}
