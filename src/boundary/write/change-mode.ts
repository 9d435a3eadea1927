import type { BoundaryContext, Request } from '../step/context.ts';
import { requirePlainMode } from './make-directory.ts';
import { pinLast, requireRegular } from '../step/pin-last.ts';
import { LinkFound, resolve } from '../step/resolve.ts';
import { refusal } from '../system/errno.ts';

/** Sets the permission bits of a file or directory; through a link, of its target. */
export function changeMode(context: BoundaryContext, path: string, mode: number): void {
  requirePlainMode(path, mode);
  const { driver } = context;
  const request: Request = { operation: 'write', verb: 'change the mode of', path };
  resolve(context, request, (step) => {
    if (step.name === '.' || context.only !== undefined) throw refusal('IS_ROOT', request);
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    try {
      if (!pinned.stats.isDirectory()) requireRegular(context, request, pinned);
      driver.changeMode(pinned, mode);
      context.witness?.changed({ kind: 'mode', relative: step.relative });
    } finally {
      driver.close(pinned);
    }
    return undefined;
  });
}
