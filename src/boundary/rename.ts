import { linkSync, renameSync, unlinkSync } from 'node:fs';
import type { BoundaryContext, Request } from './context.ts';
import { isErrno, refusal } from './errno.ts';
import { refuseWithin } from './refuse-within.ts';
import { type LastStep, resolve } from './resolve.ts';

export interface RenameOptions {
  /** Replace what has the new name, if that is possible in one step. */
  readonly replace?: boolean;
}

/** Both ends of a rename; they may lie in two roots. */
export interface RenameEnds {
  readonly source: BoundaryContext;
  readonly target: BoundaryContext;
}

/** Gives a file, directory or link (never its target) another name, in one step. */
export async function rename(
  { source, target }: RenameEnds,
  from: string,
  to: string,
  { replace = false }: RenameOptions = {},
): Promise<void> {
  const ask = (path: string): Request => ({ operation: 'write', verb: 'rename', path });
  const relative = resolve(target, ask(to), (step) => step.relative);
  await refuseWithin(source, ask(from), [{ context: target, relative }]);
  resolve(source, ask(from), (old) => {
    const directory = requireMovable(source, ask(from), old);
    return resolve(target, ask(to), (renamed) => {
      if (renamed.name === '.' || target.only !== undefined) throw refusal('IS_ROOT', ask(to));
      move({ source, target }, old, renamed, { replace, directory });
    });
  });
}

/** Tells whether it is a directory. */
function requireMovable(context: BoundaryContext, request: Request, step: LastStep): boolean {
  if (step.name === '.' || context.only !== undefined) throw refusal('IS_ROOT', request);
  const pinned = context.driver.pin(step.parent, step.name);
  context.driver.close(pinned);
  const directory = pinned.stats.isDirectory();
  if (step.directory && !directory) throw refusal('NOT_A_DIRECTORY', request);
  return directory;
}

interface Move {
  readonly replace: boolean;
  readonly directory: boolean;
}

function move(
  { source, target }: RenameEnds,
  old: LastStep,
  renamed: LastStep,
  { replace, directory }: Move,
): void {
  const from = source.driver.at(old.parent, old.name);
  const to = target.driver.at(renamed.parent, renamed.name);
  if (renamed.directory && !directory) throw Object.assign(new Error('a file'), { code: 'ENOTDIR' });
  if (replace || directory) {
    if (!replace) requireFree(target, renamed);
    return renameSync(from, to);
  }
  // A second name and then one less: unlike a rename this fails if the new name is taken.
  linkSync(from, to);
  unlinkSync(from);
}

/** A directory could replace an empty one between this look and the rename, and nothing else. */
function requireFree({ driver }: BoundaryContext, step: LastStep): void {
  try {
    driver.close(driver.pin(step.parent, step.name));
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return;
    throw error;
  }
  throw Object.assign(new Error('exists'), { code: 'EEXIST' });
}
