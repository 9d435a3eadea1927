import { renameSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { type BoundaryContext, type BoundaryRequest, askWitness } from '../step/context.ts';
import { refuseInner } from '../step/inner-roots.ts';
import { type LastStep, resolve } from '../step/resolve.ts';
import { errnoError, refusal } from '../system/errno.ts';
import { refuseWithin } from './refuse-within.ts';
import { requireFree, takeName } from './take-name.ts';

export interface RenameOptions {
  /** Replaces an existing entry, if that is possible in one step. */
  readonly replace?: boolean;
}

/** Both ends of a rename; they may lie in two roots. */
export interface RenameEnds {
  readonly source: BoundaryContext;
  readonly target: BoundaryContext;
}

/** Renames a file, directory or link (never its target), in one step. */
export async function rename(
  { source, target }: RenameEnds,
  from: string,
  to: string,
  { replace = false }: RenameOptions = {},
): Promise<void> {
  const ask = (path: string): BoundaryRequest => ({ operation: 'write', verb: 'rename', path });
  const relative = resolve(target, ask(to), (step) => step.relative);
  const old = resolve(source, ask(from), (step) => step.relative);
  const elsewhere = source.top !== target.top || ownerOf(source, old) !== ownerOf(target, relative);
  refuseUnder(target, relative, elsewhere);
  refuseUnder(source, old, elsewhere);
  await refuseWithin(source, ask(from), [{ context: target, relative }]);
  resolve(source, ask(from), (step) => {
    const moved = requireMovable(source, ask(from), step);
    askWitness(source, ask(from), step.relative);
    return resolve(target, ask(to), (renamed) => {
      if (renamed.name === '.' || target.only !== undefined) throw refusal('IS_ROOT', ask(to));
      if (replace) refuseInner(target, ask(to), renamed);
      askWitness(target, ask(to), renamed.relative);
      move({ source, target }, step, renamed, { replace, moved });
    });
  });
}

/** A link or `..` can lead into a root within this one, through the same boundary. */
function ownerOf({ inner, spellings, only }: BoundaryContext, relative: string): string | undefined {
  const real = spellings.at(-1) ?? '';
  return inner?.ownerOf(only === undefined ? join(real, relative) : real);
}

/**
 * Under its new name a file is subject to other rules, so an entry that may not be read or removed must not
 * be renamed. To move into another root, reading must be allowed explicitly.
 */
function refuseUnder({ guard }: BoundaryContext, relative: string, elsewhere: boolean): void {
  if (guard === undefined) return;
  const names = relative.split('/');
  for (const depth of names.keys()) {
    const name = names.slice(0, depth + 1).join('/');
    const last = depth === names.length - 1;
    const refused = guard('read', name, last && elsewhere) ?? guard('remove', name, false);
    if (refused !== undefined) throw refused;
  }
}

/** Checks that an entry may be renamed, and returns its stats. */
function requireMovable(context: BoundaryContext, request: BoundaryRequest, step: LastStep): Stats {
  if (step.name === '.' || context.only !== undefined) throw refusal('IS_ROOT', request);
  const pinned = context.driver.pin(step.parent, step.name);
  context.driver.close(pinned);
  if (step.directory && !pinned.stats.isDirectory()) throw refusal('NOT_A_DIRECTORY', request);
  refuseInner(context, request, step);
  return pinned.stats;
}

interface CheckedMove {
  readonly replace: boolean;
  readonly moved: Stats;
}

function move(
  { source, target }: RenameEnds,
  old: LastStep,
  renamed: LastStep,
  { replace, moved }: CheckedMove,
): void {
  if (renamed.directory && !moved.isDirectory()) {
    throw errnoError('ENOTDIR');
  }
  const from = { ...old, driver: source.driver };
  const to = { ...renamed, driver: target.driver };
  const arrived = (): void => target.witness?.afterEffect({ kind: 'moved-here', relative: renamed.relative });
  if (!replace && moved.isFile()) takeName(from, to, arrived);
  else {
    if (!replace) requireFree(to);
    renameSync(from.driver.at(from.parent, from.name), to.driver.at(to.parent, to.name));
    arrived();
  }
  source.witness?.afterEffect({ kind: 'moved-away', relative: old.relative });
}
