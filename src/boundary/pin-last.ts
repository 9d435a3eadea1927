import { RootwardError } from '../errors.ts';
import type { BoundaryContext, Request } from './context.ts';
import type { Pinned } from './driver.ts';
import { kindOf } from './file-info.ts';
import { type LastStep, type LinkFound, readLink } from './resolve.ts';
import { refusal } from './errno.ts';

/** How often a name may change between two looks before we give up. */
const looks = 32;

/** Holds what the last name leads to; a link is handed back to be followed. The caller closes what it gets. */
export function pinLast({ driver }: BoundaryContext, request: Request, step: LastStep): Pinned | LinkFound {
  for (let look = 0; look < looks; look += 1) {
    const pinned = driver.pin(step.parent, step.name);
    if (!pinned.stats.isSymbolicLink()) return checkSpelling(driver, request, step, pinned);
    driver.close(pinned);
    const link = readLink(driver, step.parent, step.name);
    if (link !== undefined) return link;
  }
  throw refusal('BUSY', request);
}

function checkSpelling(
  driver: BoundaryContext['driver'],
  request: Request,
  step: LastStep,
  pinned: Pinned,
): Pinned {
  if (!step.directory || pinned.stats.isDirectory()) return pinned;
  driver.close(pinned);
  throw refusal('NOT_A_DIRECTORY', request);
}

/** Refuses what is no regular file, before anything is opened. */
export function requireRegular(context: BoundaryContext, request: Request, { stats }: Pinned): void {
  if (stats.isDirectory()) throw refusal('IS_A_DIRECTORY', request);
  if (!stats.isFile()) {
    const { verb, path } = request;
    throw new RootwardError('SPECIAL_FILE', { verb, path, kind: kindOf(stats) });
  }
  if (stats.nlink > 1 && context.hardLinks === 'refuse') throw refusal('HARD_LINK', request);
}
