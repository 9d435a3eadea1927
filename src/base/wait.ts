/** The value of a promise, or why the wait for it ended. */
export type BoundedResult<Value> = { readonly value: Value } | { readonly ended: 'late' | 'aborted' };

export interface WaitBounds {
  /** Milliseconds. */
  readonly patience: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for a promise for a bounded time. A rejection passes through; the promise itself is not cancelled.
 */
export async function bounded<Value>(
  promise: Promise<Value>,
  bounds: WaitBounds,
): Promise<BoundedResult<Value>> {
  const { patience, signal } = bounds;
  if (signal?.aborted === true) return { ended: 'aborted' };
  let cleanUp = (): void => undefined;
  const end = new Promise<BoundedResult<Value>>((resolve) => {
    const onAbort = (): void => resolve({ ended: 'aborted' });
    const timer = setTimeout(() => resolve({ ended: 'late' }), patience);
    signal?.addEventListener('abort', onAbort, { once: true });
    cleanUp = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([promise.then((value) => ({ value })), end]);
  } finally {
    cleanUp();
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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
