import { once } from 'node:events';

/**
 * Waits for `ended`, or for a signal to the process. Afterwards signals are no longer caught, so a second one ends
 * the process at once.
 */
export async function untilEnded(ended?: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  const signals = [once(process, 'SIGINT', { signal }), once(process, 'SIGTERM', { signal })];
  try {
    await Promise.race(ended === undefined ? signals : [...signals, ended]);
  } finally {
    done.abort();
    await Promise.allSettled(signals);
  }
}
