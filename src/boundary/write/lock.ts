import { closeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { refusal, translate } from '../system/errno.ts';
import { openForAppend } from './append.ts';
import { takeHeldFile } from './held-file.ts';

export interface LockOptions {
  /** Milliseconds to wait for the current holder; 10 seconds by default. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** A lock that is held until it is released. */
export interface FileLock extends AsyncDisposable {
  /**
   * `kernel`: the system keeps the lock, and it ends with the process at the latest. `file`: a file
   * represents it; the lock of a dead process is detected by its process id on the same machine, and
   * otherwise after a minute.
   */
  readonly kind: 'kernel' | 'file';
  release(): Promise<void>;
}

/**
 * Takes the lock that belongs to the name of a file, which is created if it is missing, and stays. Also
 * excludes others in the same process. If the locks of the system are not available, a second file whose name
 * ends in `.held` represents the lock; see `kind`.
 *
 * Not guaranteed: protection against programs that do not take the lock. A process with system locks and one
 * without do not see each other's.
 *
 * @throws {RootwardError} `BUSY` if it does not become free in time
 */
export async function lock(
  context: BoundaryContext,
  path: string,
  options: LockOptions = {},
  load: () => Promise<NativeLocks | undefined> = loadNativeLocks,
): Promise<FileLock> {
  const leave = context.lease.enter();
  try {
    const native = await load();
    const free =
      native === undefined
        ? await waitFor(path, options, () => takeHeldFile(context, `${path}.held`))
        : await takeNative(context, path, native, options);
    return toLock(native === undefined ? 'file' : 'kernel', free, leave);
  } catch (error) {
    leave();
    throw translate(error, toRequest(path));
  }
}

function toRequest(path: string): BoundaryRequest {
  return { operation: 'write', verb: 'lock', path };
}

type Free = () => void | Promise<void>;

function toLock(kind: FileLock['kind'], free: Free, leave: () => void): FileLock {
  let released: Promise<void> | undefined;
  const release = (): Promise<void> => {
    released ??= Promise.resolve(free()).finally(leave);
    return released;
  };
  return { kind, release, [Symbol.asyncDispose]: release };
}

async function takeNative(
  context: BoundaryContext,
  path: string,
  native: NativeLocks,
  options: LockOptions,
): Promise<Free> {
  const fd = openForAppend(context, path, { mode: 0o600 });
  const free = (): void => {
    native.unlock(fd);
    closeSync(fd);
  };
  try {
    return await waitFor(path, options, async () => (native.tryLock(fd) ? free : undefined));
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Polls, because a thread that waits in the kernel could not be cancelled. */
async function waitFor(
  path: string,
  { timeout = 10_000, signal }: LockOptions,
  take: () => Promise<Free | undefined>,
): Promise<Free> {
  const end = performance.now() + timeout;
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPause)) {
    signal?.throwIfAborted();
    const taken = await take();
    if (taken !== undefined) return taken;
    if (performance.now() >= end) throw refusal('BUSY', toRequest(path));
    // Random, so that waiting processes do not retry in step.
    await setTimeout(pause * (0.5 + Math.random()), undefined, signal && { signal }).catch(() => {});
  }
}

/** Milliseconds. Short, because a holder writes one small file. */
const longestPause = 16;

/** Locks of the kernel. They belong to a descriptor and end with it, however its process ends. */
export interface NativeLocks {
  tryLock(fd: number): boolean;
  unlock(fd: number): void;
}

/** Returns `undefined` where the package has no binary: on musl, such as Alpine, and on rare processors. */
export async function loadNativeLocks(): Promise<NativeLocks | undefined> {
  try {
    const { tryLock, unlock } = await import('fs-native-extensions');
    return { tryLock: (fd) => tryLock(fd), unlock: (fd) => unlock(fd) };
  } catch {
    return undefined;
  }
}
