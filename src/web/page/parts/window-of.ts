/** Which rows of a long list are in sight. */
export interface RowWindow {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

export interface Sight {
  readonly count: number;
  readonly rowHeight: number;
  /** How far the list is scrolled. */
  readonly top: number;
  readonly height: number;
}

/** Rows beyond each edge, so that scrolling shows no gap. */
const spare = 6;

export function windowOf({ count, rowHeight, top, height }: Sight): RowWindow {
  const first = Math.floor(Math.max(0, top) / rowHeight) - spare;
  const last = Math.ceil((Math.max(0, top) + height) / rowHeight) + spare;
  return { from: Math.max(0, Math.min(first, count)), to: Math.max(0, Math.min(last, count)) };
}

/** How far to scroll so that a row can be seen; as far as now if it can. */
export function scrollTo(row: number, { rowHeight, top, height }: Sight): number {
  const start = row * rowHeight;
  if (start < top) return start;
  return start + rowHeight > top + height ? start + rowHeight - height : top;
}
