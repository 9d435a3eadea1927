/** The value of a promise, or why the wait for it ended. */
export type BoundedResult<Value> = { readonly value: Value } | { readonly ended: 'late' | 'aborted' };

export interface WaitBounds {
  /** Milliseconds. */
  readonly patience: number;
  readonly signal?: AbortSignal | undefined;
  /** `false`: the wait alone does not keep the process alive. */
  readonly ref?: boolean;
}

/**
 * Waits for a promise for a bounded time. A rejection passes through; the promise itself is not cancelled.
 */
export async function bounded<Value>(
  promise: Promise<Value>,
  { patience, signal, ref = true }: WaitBounds,
): Promise<BoundedResult<Value>> {
  let cleanUp = (): void => undefined;
  const end = new Promise<BoundedResult<Value>>((resolve) => {
    const onAbort = (): void => resolve({ ended: 'aborted' });
    if (signal?.aborted === true) return onAbort();
    const timer = setTimeout(() => resolve({ ended: 'late' }), patience);
    if (!ref) timer.unref();
    signal?.addEventListener('abort', onAbort, { once: true });
    cleanUp = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([end, promise.then((value) => ({ value }))]);
  } finally {
    cleanUp();
  }
}

/**
 * Asks a question for a bounded time. Its signal aborts once the answer counts no more: it came, it is late, or the
 * caller's signal aborted.
 */
export async function askWithin<Answer>(
  ask: (signal: AbortSignal) => Answer | Promise<Answer>,
  bounds: WaitBounds,
): Promise<BoundedResult<Answer>> {
  const over = new AbortController();
  const { signal } = bounds;
  const asked = async (): Promise<Answer> =>
    ask(signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]));
  try {
    return await bounded(asked(), bounds);
  } finally {
    over.abort();
  }
}

/**
 * Resolves to the answer of the system, or to `undefined` if it takes too long. A request to a disk cannot be
 * cancelled.
 */
export async function answerWithin<Answer>(
  asked: Promise<Answer>,
  milliseconds: number,
): Promise<Answer | undefined> {
  const answer = await bounded(asked, { patience: milliseconds });
  return 'value' in answer ? answer.value : undefined;
}

/** The longest delay of a timer in milliseconds. Node keeps it in 32 bits, and fires a longer one at once. */
export const longestTimer: number = 2 ** 31 - 1;
