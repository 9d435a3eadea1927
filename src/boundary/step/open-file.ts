import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import type { BoundaryContext, Request } from './context.ts';
import { pinLast, requireRegular } from './pin-last.ts';
import { LinkFound, resolve } from './resolve.ts';

/** A regular file, open for reading. Whoever gets it closes the descriptor. */
export interface OpenFile {
  readonly fd: number;
  readonly stats: Stats;
}

/** Opens a file that was checked: the very inode, not the name. */
export function openFile(context: BoundaryContext, request: Request): OpenFile {
  const { driver } = context;
  return resolve(context, request, (step) => {
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    try {
      requireRegular(context, request, pinned);
      return { fd: driver.reopen(pinned, constants.O_RDONLY), stats: pinned.stats };
    } finally {
      driver.close(pinned);
    }
  });
}
