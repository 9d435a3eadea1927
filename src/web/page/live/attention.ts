/** Windows of this browser that show the page: in sight, or behind something. */
export interface WatchedWindows {
  readonly visible: number;
  readonly hidden: number;
}

export interface AttentionMeans {
  readonly locks: Pick<LockManager, 'request' | 'query'>;
  readonly openChannel: (name: string) => Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'>;
  /** Whether this window is in sight, and when that changes. */
  readonly isVisible: () => boolean;
  readonly onVisibility: (run: () => void, signal: AbortSignal) => void;
  readonly every: (milliseconds: number, run: () => void, signal: AbortSignal) => void;
}

/** A window that crashed says nothing: it is missed after that long. Milliseconds. */
const recount = 15_000;

/**
 * Who looks. Every window holds a lock that says whether it is in sight; the browser takes the locks of one that
 * is gone, however it went. The window that leads counts them.
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

  /** Tells the counts now and whenever they are others, until the signal aborts. */
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

  /** Another lock, and everybody is told: first the new one, so that no moment is without any. */
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
