import { constants, openSync } from 'node:fs';
import { closeFile, flushFile, writeAll } from '../read/transfer.ts';
import { type BoundaryContext, type BoundaryRequest, askWitness } from '../step/context.ts';
import { pinLast, requireRegular } from '../step/open-file.ts';
import { type LastStep, LinkFound, resolve } from '../step/resolve.ts';
import { isErrno, refusal, translate } from '../system/errno.ts';
import { requirePlainMode } from './make-directory.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

export interface AppendOptions {
  /** Creates missing directories on the way. */
  readonly parents?: boolean;
  readonly mode?: number;
  readonly flush?: boolean;
}

/** Appends to a file, creating it if it is missing. Several processes may append at once. */
export async function append(
  context: BoundaryContext,
  path: string,
  data: string | Uint8Array,
  options: AppendOptions = {},
): Promise<void> {
  const { fd, relative } = openEnd(context, path, options);
  const onWritten = (bytes: number): void =>
    context.witness?.afterEffect({ kind: 'written', relative, bytes });
  try {
    await writeAll(fd, typeof data === 'string' ? Buffer.from(data, 'utf8') : data, { onWritten });
    if (options.flush === true) await flushFile(fd);
  } catch (error) {
    throw translate(error, toRequest(path, options));
  } finally {
    await closeFile(fd);
  }
}

function toRequest(path: string, { parents = false }: AppendOptions): BoundaryRequest {
  return { operation: 'write', verb: 'append to', path, makeMissing: parents };
}

/** Opens a descriptor whose writes all go to the end. The caller closes it. */
export function openForAppend(context: BoundaryContext, path: string, options: AppendOptions = {}): number {
  return openEnd(context, path, options).fd;
}

export interface OpenEnd {
  readonly fd: number;
  /** Real path from the root. */
  readonly relative: string;
}

/** Like `openForAppend`, with the real path. */
export function openEnd(context: BoundaryContext, path: string, options: AppendOptions = {}): OpenEnd {
  const request = toRequest(path, options);
  if (options.mode !== undefined) requirePlainMode(path, options.mode);
  return resolve(context, request, (step) => {
    if (step.name === '.') throw refusal('IS_ROOT', request);
    const fd = openExisting(context, request, step) ?? createNew(context, request, step, options);
    return fd instanceof LinkFound ? fd : { fd, relative: step.relative };
  });
}

function openExisting(
  context: BoundaryContext,
  request: BoundaryRequest,
  step: LastStep,
): number | LinkFound | undefined {
  const { driver } = context;
  try {
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    try {
      requireRegular(context, request, pinned);
      return driver.reopen(pinned, O_WRONLY | O_APPEND);
    } finally {
      driver.close(pinned);
    }
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Creates the file; if another process created it first, opens that one. */
function createNew(
  context: BoundaryContext,
  request: BoundaryRequest,
  step: LastStep,
  { mode = 0o666 }: AppendOptions,
): number | LinkFound {
  if (step.directory) throw refusal('NOT_A_DIRECTORY', request);
  try {
    askWitness(context, request, step.relative);
    const path = context.driver.at(step.parent, step.name);
    const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    context.witness?.afterEffect({ kind: 'written', relative: step.relative });
    return fd;
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    const theirs = openExisting(context, request, step);
    if (theirs === undefined) throw refusal('BUSY', request);
    return theirs;
  }
}
