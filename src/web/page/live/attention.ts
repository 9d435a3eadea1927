/** Number of windows of this browser that show the page: visible and hidden. */
export interface WatchedWindows {
  readonly visible: number;
  readonly hidden: number;
}

export interface AttentionMeans {
  readonly locks: Pick<LockManager, 'request' | 'query'>;
  readonly openChannel: (name: string) => Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'>;
  /** Whether this window is visible, and when that changes. */
  readonly isVisible: () => boolean;
  readonly onVisibility: (run: () => void, signal: AbortSignal) => void;
  readonly every: (milliseconds: number, run: () => void, signal: AbortSignal) => void;
}

/** Interval for counting again, because a crashed window sends no message. Milliseconds. */
const recount = 15_000;

/**
 * Counts windows. Every window holds a lock that says whether it is visible; the browser releases the locks of a
 * closed or crashed window. The leading window counts them.
 */
export class PageAttention {
  readonly #name: string;
  readonly #means: AttentionMeans;
  readonly #channel: ReturnType<AttentionMeans['openChannel']>;
  readonly #left = new AbortController();
  #held: AbortController | undefined;
  #count: () => void = () => {};

  constructor(name: string, means: AttentionMeans) {
    this.#name = name;
    this.#means = means;
    this.#channel = means.openChannel(`${name} looks`);
    this.#channel.onmessage = () => this.#count();
    means.onVisibility(() => this.#hold(), this.#left.signal);
    this.#hold();
  }

  /** Reports the counts now and whenever they change, until the signal aborts. */
  watch(tell: (watched: WatchedWindows) => void, signal: AbortSignal): void {
    let before = '';
    const count = async (): Promise<void> => {
      const { held = [] } = await this.#means.locks.query();
      const of = (kind: string): number => held.filter(({ name }) => name === `${this.#name} ${kind}`).length;
      const watched = { visible: of('visible'), hidden: of('hidden') };
      const text = JSON.stringify(watched);
      if (signal.aborted || text === before) return;
      before = text;
      tell(watched);
    };
    const start = (): void => void count().catch(() => {});
    this.#count = start;
    signal.addEventListener('abort', () => (this.#count = () => {}));
    this.#means.every(recount, start, signal);
    start();
  }

  close(): void {
    this.#left.abort();
    this.#held?.abort();
    this.#channel.close();
  }

  /**
   * Takes another lock and notifies the other windows. The new lock comes first, so that the window always holds one.
   */
  #hold(): void {
    const before = this.#held;
    const held = new AbortController();
    this.#held = held;
    const name = `${this.#name} ${this.#means.isVisible() ? 'visible' : 'hidden'}`;
    const until = (): Promise<void> => {
      before?.abort();
      setTimeout(() => this.#report(), 0);
      return new Promise((resolve) => held.signal.addEventListener('abort', () => resolve()));
    };
    this.#means.locks.request(name, { mode: 'shared' }, until).catch(() => {});
  }

  #report(): void {
    if (this.#left.signal.aborted) return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
    this.#channel.postMessage('looks');
    this.#count();
  }
}
