import { type ChildProcess, spawn } from 'node:child_process';
import { openDirectory } from '../read/list.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { translate } from '../system/errno.ts';
import { systemShell } from './find-program.ts';
import { type RunEnd, type RunLimits, supervise } from './supervise.ts';

/** A command line and its limits. */
export interface RunOptions {
  /** Interpreted by the system's shell: bash if installed. */
  readonly command: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly limits: RunLimits;
  readonly signal?: AbortSignal;
  /** Called with the number of bytes written so far. */
  readonly onOutput?: (bytes: number) => void;
}

/**
 * Runs a command line in a directory of the root without confinement: it can do whatever its user can, and no
 * rule applies to it. Processes that leave its group survive it.
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
    reportStart(context, child, relative);
    return await watchRun(context, child, options);
  } catch (error) {
    throw translate(error, request);
  } finally {
    context.driver.close(directory);
  }
}

/**
 * Reports the start to the witness, unless the child never started. From here on it may have changed anything
 * within its reach.
 */
export function reportStart({ witness }: BoundaryContext, child: ChildProcess, relative: string): void {
  if (child.pid !== undefined) witness?.afterEffect({ kind: 'started', relative });
}

/** Supervises a child until it ends, or until the call or the boundary ends. */
export function watchRun(
  context: BoundaryContext,
  child: ChildProcess,
  options: RunOptions,
): Promise<RunEnd> {
  const { limits, signal, onOutput } = options;
  const signals = [context.lease.closing, signal].filter((each) => each !== undefined);
  return supervise(child, { limits, signals, onOutput });
}
