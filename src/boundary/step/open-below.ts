import { join } from 'node:path';
import { RootwardError } from '../../errors.ts';
import type { Directory } from '../system/driver.ts';
import { kindOf } from '../system/file-info.ts';
import { type BoundaryContext, type Guard, type BoundaryRequest, witnessBelow, Lease } from './context.ts';
import { pinLast } from './open-file.ts';
import { type LastStep, LinkFound, resolve } from './resolve.ts';

/**
 * Opens a boundary within a boundary. The path is resolved like any other, so no link leads out, and the same
 * rules apply. It has its own handle and outlives the outer one.
 */
export function openBelow(context: BoundaryContext, path: string, name: string): BoundaryContext {
  const request: BoundaryRequest = { operation: 'list', verb: 'open', path };
  const { driver } = context;
  const { top, only, relative } = resolve(context, request, (step) => {
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    driver.close(pinned);
    if (pinned.stats.isDirectory())
      return { top: enter(context, step), only: undefined, relative: step.relative };
    if (!pinned.stats.isFile())
      throw new RootwardError('SPECIAL_FILE', { verb: 'open', path, kind: kindOf(pinned.stats) });
    return { top: driver.duplicate(step.parent), only: step.name, relative: parentOf(step.relative) };
  });
  const real = driver.realPath(top);
  return {
    ...context,
    top,
    only,
    name,
    lease: new Lease(name, () => driver.close(top)),
    swept: new Map(),
    spellings: [only === undefined ? real : join(real, only)],
    guard: context.guard && below(context.guard, relative),
    ...(context.witness && { witness: witnessBelow(context.witness, relative) }),
  };
}

function enter({ driver }: BoundaryContext, { parent, name }: LastStep): Directory {
  return name === '.' ? driver.duplicate(parent) : driver.enter(parent, name);
}

function parentOf(relative: string): string {
  return relative.slice(0, Math.max(0, relative.lastIndexOf('/')));
}

/** Adapts a guard to a boundary that begins further down. */
function below(guard: Guard, prefix: string): Guard {
  return (operation, relative, last) =>
    guard(operation, prefix === '' ? relative : `${prefix}/${relative}`, last);
}
