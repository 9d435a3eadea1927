import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { scrollTo, windowOf } from './window-of.ts';

export interface VirtualListProps {
  readonly label: string;
  readonly count: number;
  readonly rowHeight: number;
  readonly row: (index: number) => ComponentChildren;
  /** Told which rows are in sight, not included the last. */
  readonly onWindow?: (from: number, to: number) => void;
  readonly onTop?: (isAtTop: boolean) => void;
}

/**
 * A list of which only the rows in sight exist. All rows are equally high. Arrow keys, Home and End go from row to
 * row: to the element that a row marks with `data-row`.
 */
export function VirtualList({
  label,
  count,
  rowHeight,
  row,
  onWindow,
  onTop,
}: VirtualListProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 800 });
  const wanted = useRef<number | undefined>(undefined);
  const { from, to } = windowOf({ count, rowHeight, ...sight });
  useEffect(() => watchSize(box.current, (height) => setSight((now) => ({ ...now, height }))), []);
  useEffect(() => onWindow?.(from, to), [from, to, onWindow]);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const element = box.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] [data-row]`);
    element?.focus({ preventScroll: true });
    wanted.current = undefined;
  });
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
    <div class="virtual" ref={box} onScroll={scrolled} onKeyDown={pressed} tabIndex={-1}>
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

function watchSize(element: HTMLElement | null, tell: (height: number) => void): () => void {
  if (element === null) return () => {};
  const observer = new ResizeObserver(() => tell(element.clientHeight));
  observer.observe(element);
  return () => observer.disconnect();
}

function rowAt(target: EventTarget | null): number | undefined {
  if (!(target instanceof HTMLElement) || !target.hasAttribute('data-row')) return undefined;
  const index = Number(target.closest('[data-index]')?.getAttribute('data-index'));
  return Number.isInteger(index) ? index : undefined;
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
