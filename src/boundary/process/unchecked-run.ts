import { type ChildProcess, spawn } from 'node:child_process';
import { openDirectory } from '../read/list.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { translate } from '../system/errno.ts';
import { systemShell } from './find-program.ts';
import { type RunEnd, type RunLimits, supervise } from './supervise.ts';

/** One command line, and what it may use. */
export interface RunOptions {
  /** For the system's shell: bash where there is one. */
  readonly command: string;
  /** Nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly limits: RunLimits;
  readonly signal?: AbortSignal;
  /** Told how much it has written so far. */
  readonly onOutput?: (bytes: number) => void;
}

/**
 * Runs a command line in a directory of the root, and nothing confines it: it can do whatever its user can,
 * and no rule holds for it. Who leaves its group survives it.
 */
export async function runUnchecked(
  context: BoundaryContext,
  path: string,
  options: RunOptions,
): Promise<RunEnd> {
  const request: BoundaryRequest = { operation: 'execute', verb: 'run a program in', path };
  options.signal?.throwIfAborted();
  const { directory, relative } = openDirectory(context, request);
  const { file, args } = systemShell(options.command);
  try {
    const child = spawn(file, args, {
      cwd: context.driver.self(directory),
      env: { ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: true,
    });
    tellStart(context, child, relative);
    return await watchRun(context, child, options);
  } catch (error) {
    throw translate(error, request);
  } finally {
    context.driver.close(directory);
  }
}

/** Without a number it never began. From here on it may have changed anything that it can reach. */
export function tellStart({ witness }: BoundaryContext, child: ChildProcess, relative: string): void {
  if (child.pid !== undefined) witness?.afterEffect({ kind: 'started', relative });
}

/** Watches over a child until it ends, or the call or the boundary does. */
export function watchRun(
  context: BoundaryContext,
  child: ChildProcess,
  options: RunOptions,
): Promise<RunEnd> {
  const { limits, signal, onOutput } = options;
  const signals = [context.lease.closing, signal].filter((each) => each !== undefined);
  return supervise(child, { limits, signals, onOutput });
}
