import { useEffect, useState } from 'preact/hooks';

/** So long nobody may have pressed anything before an answer counts. Milliseconds. */
export const settleFor = 700;

/**
 * Whether what has just appeared has been there for a moment in which no key was pressed. Somebody who was typing
 * or clicking elsewhere cannot have meant it.
 */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => whenSettled(document, () => setSettled(true)), []);
  return settled;
}

/** Calls once, after a moment without a key or a click. Returns how to give up. */
export function whenSettled(
  presses: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>,
  run: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    for (const kind of kinds) presses.removeEventListener(kind, begin, capture);
  };
  const begin = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      stop();
      run();
    }, settleFor);
  };
  for (const kind of kinds) presses.addEventListener(kind, begin, capture);
  begin();
  return stop;
}

const kinds = ['keydown', 'pointerdown'] as const;
const capture = { capture: true } as const;
