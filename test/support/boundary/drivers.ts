import { constants } from 'node:fs';
import type { Boundary } from '../../../src/boundary/boundary.ts';
import { type BoundaryOptions, openBoundary, openWith } from '../../../src/boundary/open-boundary.ts';
import { createPathDriver } from '../../../src/boundary/system/path-driver.ts';
import { attackScale } from '../race/seed.ts';

export interface TestedDriver {
  readonly name: string;
  readonly open: (directory: string, options?: BoundaryOptions) => Promise<Boundary>;
  /** Of so many cells of a large table one is tried with it. */
  readonly stride: number;
}

const pathDriver = createPathDriver({ level: 'verified', noFollow: constants.O_NOFOLLOW });

/** Cases without a race must hold on every system: macOS and Windows have no more than the path driver. */
export const drivers: readonly TestedDriver[] = [
  { name: 'the driver of this system', open: openBoundary, stride: 1 },
  {
    name: 'the path driver',
    open: (directory, options = {}) => Promise.resolve(openWith(pathDriver, directory, options)),
    stride: attackScale > 1 ? 1 : 6,
  },
];

/**
 * The columns of one row that are tried with a driver: all with that of this system. The path driver shares every check
 * with it and differs in its steps, so that every sixth diagonal is enough: each case and each operation is among them.
 * `npm run attack` tries all.
 */
export function triedColumns<Column>(
  { stride }: TestedDriver,
  row: number,
  columns: readonly Column[],
): readonly Column[] {
  return columns.filter((_, column) => (row + column) % stride === 0);
}
