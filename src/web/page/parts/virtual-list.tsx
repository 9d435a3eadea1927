import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface VirtualListProps {
  readonly label: string;
  readonly count: number;
  readonly rowHeight: number;
  readonly row: (index: number) => ComponentChildren;
  /** Called with the visible rows, excluding `to`. */
  readonly onWindow?: (from: number, to: number) => void;
  readonly onTop?: (isAtTop: boolean) => void;
  /** A new value scrolls to the first row. */
  readonly topKey?: string;
}

/**
 * A list that creates only the visible rows, all of the same height. Arrow keys, Home and End move the focus between
 * rows,
 * to the element that a row marks with `data-row`.
 */
export function VirtualList({
  label,
  count,
  rowHeight,
  row,
  onWindow,
  onTop,
  topKey,
}: VirtualListProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 800 });
  const wanted = useRef<number | undefined>(undefined);
  const { from, to } = windowOf({ count, rowHeight, ...sight });
  useEffect(() => watchSize(box.current, (height) => setSight((now) => ({ ...now, height }))), []);
  useEffect(() => onWindow?.(from, to), [from, to, onWindow]);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.scrollTop = 0;
  }, [topKey]);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    focusRow(box.current, wanted.current);
    wanted.current = undefined;
  });
  const held = useHeldFocus(box, count);
  const scrolled = (): void => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = box.current ?? {};
    onTop?.(top <= 1);
    setSight({ top, height });
  };
  const pressed = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const index = rowAt(event.target);
    const next = index === undefined ? undefined : nextRow(event.key, index, count);
    if (next === undefined || box.current === null) return;
    event.preventDefault();
    wanted.current = next;
    box.current.scrollTop = scrollTo(next, { count, rowHeight, ...sight });
    setSight({ top: box.current.scrollTop, height: box.current.clientHeight });
  };
  return (
    <div class="virtual" ref={box} onScroll={scrolled} onKeyDown={pressed} {...held} tabIndex={-1}>
      <ul class="virtual-rows" style={{ height: `${count * rowHeight}px` }} aria-label={label}>
        {Array.from({ length: to - from }, (_, at) => from + at).map((index) => (
          <li
            key={index}
            class="virtual-row"
            data-index={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
          >
            {row(index)}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface HeldFocus {
  readonly onFocusIn: (event: FocusEvent) => void;
  readonly onFocusOut: () => void;
}

/** When the row with the focus disappears, the row in its place gets it. */
function useHeldFocus(box: { readonly current: HTMLDivElement | null }, count: number): HeldFocus {
  const held = useRef<{ readonly element: Element; readonly index: number } | undefined>(undefined);
  useLayoutEffect(() => {
    if (held.current === undefined || held.current.element.isConnected) return;
    const { index } = held.current;
    held.current = undefined;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && count > 0) focusRow(box.current, Math.min(index, count - 1));
  });
  return {
    onFocusIn({ target }) {
      const index = target instanceof Element ? indexOf(target) : undefined;
      if (target instanceof Element && index !== undefined) held.current = { element: target, index };
    },
    onFocusOut() {
      const { current } = held;
      // An element that is being removed loses the focus too, while it is still connected.
      queueMicrotask(() => {
        if (held.current === current && current?.element.isConnected === true) held.current = undefined;
      });
    },
  };
}

function focusRow(box: HTMLElement | null, index: number): void {
  box?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row]`)?.focus({ preventScroll: true });
}

function watchSize(element: HTMLElement | null, tell: (height: number) => void): () => void {
  if (element === null) return () => {};
  const observer = new ResizeObserver(() => tell(element.clientHeight));
  observer.observe(element);
  return () => observer.disconnect();
}

function rowAt(target: EventTarget | null): number | undefined {
  return target instanceof HTMLElement && target.hasAttribute('data-row') ? indexOf(target) : undefined;
}

function indexOf(element: Element): number | undefined {
  const text = element.closest('[data-index]')?.getAttribute('data-index') ?? '';
  return text === '' ? undefined : Number(text);
}

function nextRow(key: string, index: number, count: number): number | undefined {
  const rows: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + 10,
    PageUp: index - 10,
    Home: 0,
    End: count - 1,
  };
  const next = rows[key];
  return next === undefined ? undefined : Math.min(count - 1, Math.max(0, next));
}

/** The visible rows of a long list. */
export interface RowWindow {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export interface ListViewport {
  readonly count: number;
  readonly rowHeight: number;
  /** Scroll position. */
  readonly top: number;
  readonly height: number;
}

/** Extra rows beyond each edge, so that scrolling shows no gap. */
const spare = 6;

export function windowOf({ count, rowHeight, top, height }: ListViewport): RowWindow {
  const first = Math.floor(Math.max(0, top) / rowHeight) - spare;
  const last = Math.ceil((Math.max(0, top) + height) / rowHeight) + spare;
  return { from: Math.max(0, Math.min(first, count)), to: Math.max(0, Math.min(last, count)) };
}

/** Returns the scroll position that shows a row; the current one if it is visible. */
export function scrollTo(row: number, { rowHeight, top, height }: ListViewport): number {
  const start = row * rowHeight;
  if (start < top) return start;
  return start + rowHeight > top + height ? start + rowHeight - height : top;
}
