import { constants } from 'node:fs';
import type { Boundary } from '../../../src/boundary/boundary.ts';
import { type BoundaryOptions, openBoundary, openWith } from '../../../src/boundary/open-boundary.ts';
import { createPathDriver } from '../../../src/boundary/system/path-driver.ts';

export interface TestedDriver {
  readonly name: string;
  readonly open: (directory: string, options?: BoundaryOptions) => Promise<Boundary>;
}

const pathDriver = createPathDriver({ level: 'verified', noFollow: constants.O_NOFOLLOW });

/** What nobody races must hold on every system: macOS and Windows have no more than the path driver. */
export const drivers: readonly TestedDriver[] = [
  { name: 'the driver of this system', open: openBoundary },
  {
    name: 'the path driver',
    open: (directory, options = {}) => Promise.resolve(openWith(pathDriver, directory, options)),
  },
];
