import { once } from 'node:events';

/**
 * Waits for the end of something, or for somebody who ends the process. Afterwards nobody listens to signals: the
 * second one ends the process at once.
 */
export async function untilEnded(ended?: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  const told = [once(process, 'SIGINT', { signal }), once(process, 'SIGTERM', { signal })];
  try {
    await Promise.race(ended === undefined ? told : [...told, ended]);
  } finally {
    done.abort();
    await Promise.allSettled(told);
  }
}
