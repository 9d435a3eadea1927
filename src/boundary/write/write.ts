import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { keepSwept, sweepTemporaries } from '../read/sweep-temporaries.ts';
import { temporaryName } from '../read/temporary-name.ts';
import { closeFile, flushFile, writeAll } from '../read/transfer.ts';
import { type BoundaryContext, type BoundaryRequest, askWitness } from '../step/context.ts';
import { pinLast, requireRegular } from '../step/open-file.ts';
import { type LastStep, LinkFound, resolve } from '../step/resolve.ts';
import type { Directory, Driver } from '../system/driver.ts';
import { errnoError, isErrno, refusal, translate } from '../system/errno.ts';
import { compareWithFile, type LineChange } from './compare-lines.ts';
import { requirePlainMode } from './make-directory.ts';
import { type NamedPlace, takeName } from './take-name.ts';

export interface WriteOptions extends PlaceOptions {
  /** Creates missing directories on the way. */
  readonly parents?: boolean;
  readonly signal?: AbortSignal;
}

/** Writes a whole file, or nothing. */
export async function write(
  context: BoundaryContext,
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const { parents = false, signal } = options;
  const request: BoundaryRequest = { operation: 'write', verb: 'write', path, makeMissing: parents };
  const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
  signal?.throwIfAborted();
  const lines = await compareWithFile(context, path, bytes);
  await placeFile(context, request, (fd) => writeAll(fd, bytes, { signal }), { ...options, lines });
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

export interface PlaceOptions {
  /** Refuses to replace an existing file. */
  readonly exclusive?: boolean;
  /** Mode of a new file, before the umask; a replaced file keeps its own. */
  readonly mode?: number;
  /** Flushes data and name to the disk before returning. */
  readonly flush?: boolean;
  /**
   * Called last, when everything is written and only the name is missing. If it throws, everything stays as
   * it was.
   */
  readonly confirm?: () => void | Promise<void>;
  /**
   * The file to be replaced, open and as it was when it was read. Throws `BUSY` if another file is there by
   * now.
   */
  readonly over?: SeenFile;
  /** How the new text differs from the old one, for the witness. */
  readonly lines?: LineChange | undefined;
}

/**
 * Puts a file in place as a whole or not at all: `fill` writes to a new file with an unguessable name in the
 * directory that is held open, which is then renamed in one step. Concurrent readers see the old content or
 * the new one. Through a link, its target is replaced, and the link stays.
 */
export async function placeFile(
  context: BoundaryContext,
  request: BoundaryRequest,
  fill: (fd: number, temporary: string) => Promise<void>,
  options: PlaceOptions = {},
): Promise<void> {
  if (options.mode !== undefined) requirePlainMode(request.path, options.mode);
  const target = openTarget(context, request, options);
  try {
    const isSwept = sweepTemporaries(context, target.parent);
    await fillAndName({ context, request, target }, fill, options);
    if (isSwept) keepSwept(context, target.parent);
  } catch (error) {
    throw translate(error, request);
  } finally {
    context.driver.close(target.parent);
  }
}

interface Target {
  /** A handle of its own, closed when the file is in place. */
  readonly parent: Directory;
  readonly name: string;
  /** Real path from the root. */
  readonly relative: string;
  /** Mode of the existing file. */
  readonly mode: number | undefined;
}

function openTarget(
  context: BoundaryContext,
  request: BoundaryRequest,
  { exclusive = false }: PlaceOptions,
): Target {
  return resolve(context, request, (step) => {
    if (step.name === '.') throw refusal('IS_ROOT', request);
    const mode = modeOfExisting(context, request, step);
    if (mode instanceof LinkFound) return mode;
    if (mode === undefined && step.directory) throw refusal('NOT_A_DIRECTORY', request);
    if (mode !== undefined && exclusive) throw refusal('ALREADY_EXISTS', request);
    const { name, relative } = step;
    return { parent: context.driver.duplicate(step.parent), name, relative, mode };
  });
}

function modeOfExisting(
  context: BoundaryContext,
  request: BoundaryRequest,
  step: LastStep,
): number | undefined | LinkFound {
  try {
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    context.driver.close(pinned);
    requireRegular(context, request, pinned);
    return pinned.stats.mode & 0o777;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

interface FilePlacing {
  readonly context: BoundaryContext;
  readonly request: BoundaryRequest;
  readonly target: Target;
}

async function fillAndName(
  { context, request, target }: FilePlacing,
  fill: (fd: number, temporary: string) => Promise<void>,
  { exclusive = false, flush = false, mode: newMode = 0o666, confirm, over, lines }: PlaceOptions,
): Promise<void> {
  const { driver, witness } = context;
  const { parent, name, relative, mode } = target;
  const written = (): void =>
    witness?.afterEffect({ kind: 'written', relative, bytes: fstatSync(fd).size, ...(lines && { lines }) });
  const temporary = temporaryName();
  // The replacement of a private file must not be readable by others while it is written.
  const fd = openSync(
    driver.at(parent, temporary),
    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
    mode === undefined ? newMode : 0o600,
  );
  try {
    await fill(fd, temporary);
    if (mode !== undefined) fchmodSync(fd, mode);
    if (flush) await flushFile(fd);
    await confirm?.();
    // No other code of this process runs between check and rename; another process has microseconds.
    if (over !== undefined) requireSeen(over, { driver, parent, name });
    askWitness(context, request, relative);
    if (exclusive) takeName({ driver, parent, name: temporary }, { driver, parent, name }, written);
    else {
      renameSync(driver.at(parent, temporary), driver.at(parent, name));
      written();
    }
  } catch (error) {
    discard(driver, parent, temporary);
    throw error;
  } finally {
    await closeFile(fd);
  }
  if (flush) await flushDirectory(driver, parent);
}

function discard(driver: Driver, parent: Directory, name: string): void {
  try {
    unlinkSync(driver.at(parent, name));
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

/** A new name is durable once its directory is flushed. Windows cannot flush a directory, and need not. */
async function flushDirectory(driver: Driver, directory: Directory): Promise<void> {
  if (process.platform === 'win32') return;
  const fd = openSync(driver.self(directory), constants.O_RDONLY);
  try {
    await flushFile(fd);
  } finally {
    closeSync(fd);
  }
}

/** An open file, and its stats before it was read. */
export interface SeenFile {
  readonly fd: number;
  readonly stats: BigIntStats;
}

/** Takes the stats of an open file. While it is open, its inode number is not reused. */
export function seeFile(fd: number): SeenFile {
  return { fd, stats: fstatSync(fd, { bigint: true }) };
}

/** Fails with EBUSY unless the name still leads to that file, and it was not written to since. */
export function requireSeen({ fd, stats }: SeenFile, { driver, parent, name }: NamedPlace): void {
  const there = lstatSync(driver.at(parent, name), { bigint: true, throwIfNoEntry: false });
  const isSame = there !== undefined && there.dev === stats.dev && there.ino === stats.ino;
  const now = fstatSync(fd, { bigint: true });
  if (!isSame || now.size !== stats.size || now.mtimeNs !== stats.mtimeNs) throw errnoError('EBUSY');
}
