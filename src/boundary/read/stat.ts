import type { BoundaryContext, Request } from '../step/context.ts';
import { type FileInfo, toFileInfo } from '../system/file-info.ts';
import { pinLast } from '../step/pin-last.ts';
import { LinkFound, resolve } from '../step/resolve.ts';
import { tellAbout } from '../step/witness.ts';

/** What a path leads to. */
export function stat(context: BoundaryContext, path: string): FileInfo {
  const request: Request = { operation: 'list', verb: 'look at', path };
  return resolve(context, request, (step) => {
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    context.driver.close(pinned);
    return toFileInfo(pinned.stats);
  });
}

/** What a path names: a link is described, not followed, unless the path ends with a slash. */
export function lstat(context: BoundaryContext, path: string): FileInfo {
  const { driver } = context;
  const request: Request = { operation: 'list', verb: 'look at', path };
  return resolve(context, request, (step) => {
    const pinned = step.directory ? pinLast(context, request, step) : driver.pin(step.parent, step.name);
    if (pinned instanceof LinkFound) return pinned;
    driver.close(pinned);
    tellAbout(context, request, step.relative);
    return toFileInfo(pinned.stats);
  });
}
