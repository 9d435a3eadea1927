import { mkdirSync } from 'node:fs';
import { RootwardError } from '../../errors.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { pinLast, requireRegular } from '../step/open-file.ts';
import { type LastStep, LinkFound, readLink, resolve } from '../step/resolve.ts';
import { isErrno, refusal } from '../system/errno.ts';

export interface MakeDirectoryOptions {
  /** Also creates missing parents, and accepts an existing directory. */
  readonly parents?: boolean;
  readonly mode?: number;
}

export function makeDirectory(
  context: BoundaryContext,
  path: string,
  options: MakeDirectoryOptions = {},
): void {
  const { parents = false, mode = 0o777 } = options;
  requirePlainMode(path, mode);
  const request: BoundaryRequest = { operation: 'write', verb: 'create', path, makeMissing: parents };
  resolve(context, request, (step) => {
    if (step.name === '.') return parents ? undefined : fail('ALREADY_EXISTS', request);
    const refused = context.witness?.beforeEffect(request, step.relative);
    if (refused !== undefined) return followInstead(context, request, step, refused);
    try {
      mkdirSync(context.driver.at(step.parent, step.name), mode);
    } catch (error) {
      if (!parents || !isErrno(error, 'EEXIST')) throw error;
      return requireDirectory(context, request, step);
    }
    context.witness?.afterEffect({ kind: 'made', relative: step.relative });
    return undefined;
  });
}

/** This name may not be created, but a link there may lead to a permitted place. */
function followInstead(
  context: BoundaryContext,
  request: BoundaryRequest,
  step: LastStep,
  refused: Error,
): LinkFound {
  try {
    const link = readLink(context.driver, step.parent, step.name);
    if (link !== undefined && request.makeMissing === true) return link;
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
  throw refused;
}

function requireDirectory(
  context: BoundaryContext,
  request: BoundaryRequest,
  step: LastStep,
): undefined | LinkFound {
  const pinned = pinLast(context, request, step);
  if (pinned instanceof LinkFound) return pinned;
  context.driver.close(pinned);
  return pinned.stats.isDirectory() ? undefined : fail('ALREADY_EXISTS', request);
}

function fail(code: 'ALREADY_EXISTS', request: BoundaryRequest): never {
  throw refusal(code, request);
}

/** Callers may not set the set-user-id, set-group-id and sticky bits. */
export function requirePlainMode(path: string, mode: number): void {
  if (Number.isInteger(mode) && mode >= 0 && mode <= 0o777) return;
  throw new RootwardError('INVALID_MODE', { path, mode: mode.toString(8) });
}

/** Sets the permission bits of a file or directory; through a link, of its target. */
export function changeMode(context: BoundaryContext, path: string, mode: number): void {
  requirePlainMode(path, mode);
  const { driver } = context;
  const request: BoundaryRequest = { operation: 'write', verb: 'change the mode of', path };
  resolve(context, request, (step) => {
    if (step.name === '.' || context.only !== undefined) throw refusal('IS_ROOT', request);
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    try {
      if (!pinned.stats.isDirectory()) requireRegular(context, request, pinned);
      driver.changeMode(pinned, mode);
      context.witness?.afterEffect({ kind: 'mode', relative: step.relative });
    } finally {
      driver.close(pinned);
    }
    return undefined;
  });
}
