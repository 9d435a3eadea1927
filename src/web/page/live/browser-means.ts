import type { AttentionMeans } from './attention.ts';
import type { ShareMeans } from './share-stream.ts';

/** What of the browser is used to stay up to date. */
export interface BrowserMeans extends ShareMeans, AttentionMeans {
  /** Tells the windows of this server from those of another. */
  readonly name: string;
  readonly locks: Pick<LockManager, 'request' | 'query'>;
  readonly openEvents: (url: string) => Pick<EventSource, 'onmessage' | 'onerror' | 'close'>;
}

export function browserMeans(): BrowserMeans {
  return {
    name: `rootward ${location.pathname}`,
    locks: navigator.locks,
    openChannel: (name) => new BroadcastChannel(name),
    openEvents: (url) => new EventSource(url),
    isVisible: () => document.visibilityState === 'visible',
    onVisibility: (run, signal) => document.addEventListener('visibilitychange', run, { signal }),
    wait,
    every(milliseconds, run, signal) {
      const timer = setInterval(run, milliseconds);
      signal.addEventListener('abort', () => clearInterval(timer));
    },
  };
}

/** Fulfilled in time, or at once when it is pointless. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
