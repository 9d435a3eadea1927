import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { hostPlatform } from '../path/platform.ts';
import { Boundary } from './boundary.ts';
import {
  type BoundaryContext,
  type BoundaryLimits,
  type Guard,
  type KeptPlaces,
  type KnownTops,
  Lease,
} from './step/context.ts';
import { findTop, type FoundTop, type MissingTop } from './step/find-top.ts';
import { LastParent } from './step/last-parent.ts';
import { createDiskNames } from './system/disk-names.ts';
import { bestLevel, type BoundaryLevel, type Driver, requireStrength } from './system/driver.ts';
import { isErrno, translate } from './system/errno.ts';
import { createLinkRules } from './system/link-rules.ts';
import { createMountView } from './system/mount-table.ts';
import { createSystemPathDriver } from './system/path-driver.ts';
import { hasProc, procDriver } from './system/proc-driver.ts';

export interface BoundaryOptions {
  /** The name of the root in messages; its last name by default. */
  readonly name?: string;
  /** Refuses to open with a weaker level. By default the best level of the system: `kernel` on Linux. */
  readonly requireLevel?: BoundaryLevel;
  /** Files with more than one name: `allow` by default, because package stores consist of them. */
  readonly hardLinks?: 'allow' | 'refuse';
  /** Mounts within the root: `allow` by default. */
  readonly mounts?: 'allow' | 'refuse';
  /** Absolute links: `refuse` by default; `reroot` follows those that lead beneath this root. */
  readonly absoluteLinks?: 'refuse' | 'reroot';
  readonly limits?: Partial<BoundaryLimits>;
  /** Called for every name on the way. */
  readonly guard?: Guard;
  /** Rootward's own files, which may lie in the root. */
  readonly kept?: KeptPlaces;
}

const defaultLimits: BoundaryLimits = { fileSize: 64 * 1024 * 1024, listEntries: 100_000 };

/**
 * Opens a directory, or one file, as a boundary. Links in the path itself are followed, once, now.
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

/** A root that was opened as one of several. */
export interface OpenedAmong extends Omit<FoundTop, 'top' | 'only'> {
  readonly boundary: Boundary;
}

/** Opens several roots, one after the other. */
export interface RootOpener extends Disposable {
  /**
   * Opens a directory, or one file, as one of the roots. A path that leads into another root must stay in it:
   * otherwise a process that can write there could redirect this root; see `findTop`.
   *
   * @throws {RootwardError} the errors of `openBoundary`, and `OUTSIDE_ROOTS` if a link leads out of another
   * root
   */
  open(path: string, name: string): OpenedAmong | MissingTop;
}

/** Creates an opener, for one turn of the event loop: it holds what it saw on the way. */
export function createRootOpener(tops: KnownTops, options: BoundaryOptions = {}): RootOpener {
  const driver = chooseDriver(options.requireLevel ?? bestLevel(process.platform));
  const lastParent = new LastParent(driver);
  const find = { platform: hostPlatform, tops, lastParent };
  return {
    open(path, name) {
      try {
        const found = openAlone(driver, path, tops) ?? findTop(driver, path, find);
        if ('missing' in found) return found;
        const { identity, holder, inside } = found;
        const boundary = boundaryOn(driver, path, { ...found, tops }, { ...options, name });
        return { boundary, identity, holder, inside };
      } catch (error) {
        throw translate(error, { verb: 'open', path });
      }
    },
    [Symbol.dispose]: () => lastParent.close(),
  };
}

/** The usual case, in few calls: no other root is known, and the path contains no link. */
function openAlone(driver: Driver, path: string, tops: KnownTops): FoundTop | undefined {
  if (tops.size > 1) return undefined;
  try {
    const top = driver.openTop(path);
    const identity = driver.identityOf(top);
    const isKnown = tops.size === 0 || tops.has(identity);
    if (isKnown && driver.realPath(top) === path)
      return { top, only: undefined, identity, holder: undefined, inside: [] };
    driver.close(top);
  } catch (error) {
    if (!isErrno(error)) throw error;
  }
  return undefined;
}

/** Returns the identity of the directory at a path at this moment, or `undefined` if there is none. */
export function identityAt(path: string): string | undefined {
  const driver = chooseDriver('verified');
  try {
    const top = driver.openTop(path);
    try {
      return driver.identityOf(top);
    } finally {
      driver.close(top);
    }
  } catch (error) {
    if (isErrno(error)) return undefined;
    throw error;
  }
}

/** Whether a path leads to a directory that can be entered, or to a regular file: what can be opened as a root. */
export function isRootAt(path: string): boolean {
  if (identityAt(path) !== undefined) return true;
  try {
    return statSync(path).isFile();
  } catch (error) {
    if (isErrno(error)) return false;
    throw error;
  }
}

/**
 * @internal For tests that run a weaker driver on a stronger system.
 */
export function openWith(driver: Driver, given: string, options: BoundaryOptions): Boundary {
  const path = resolve(given);
  try {
    return boundaryOn(driver, path, openTop(driver, path, given), options);
  } catch (error) {
    throw translate(error, { verb: 'open', path: given });
  }
}

interface BoundaryTop extends Pick<FoundTop, 'top' | 'only'> {
  readonly tops?: KnownTops;
}

/** Opens the path once; all that is known about the root comes from the handle. */
function openTop(driver: Driver, path: string, given: string): BoundaryTop {
  try {
    return { top: driver.openTop(path), only: undefined };
  } catch (error) {
    if (!isErrno(error, 'ENOTDIR')) throw error;
  }
  const found = findTop(driver, path, { platform: hostPlatform, tops: new Map(), given });
  if ('missing' in found) throw found.missing;
  return found;
}

function boundaryOn(
  driver: Driver,
  path: string,
  { top, only, tops }: BoundaryTop,
  options: BoundaryOptions,
): Boundary {
  const name = options.name ?? (basename(path) || path);
  const real = driver.realPath(top);
  const mounts = createMountView();
  const context: BoundaryContext = {
    driver,
    top,
    only,
    name,
    lease: new Lease(name, () => driver.close(top)),
    swept: new Map(),
    names: createDiskNames(driver, { top, real }, mounts),
    links: createLinkRules(driver, mounts),
    platform: hostPlatform,
    limits: { ...defaultLimits, ...options.limits },
    hardLinks: options.hardLinks ?? 'allow',
    mount: options.mounts === 'refuse' ? driver.mountOf(top) : undefined,
    spellings: [...new Set([path, only === undefined ? real : join(real, only)])],
    reroot: options.absoluteLinks === 'reroot',
    guard: options.guard,
    kept: options.kept,
    tops,
  };
  return new Boundary(context);
}
