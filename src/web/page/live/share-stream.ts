import type { PageEvent } from '../../wire/wire.ts';

/** News from the leading window to the others. */
export type PageNews = PageEvent | { readonly kind: 'lost' };

export interface StreamShare {
  /** Name of this server, whose windows share one stream. */
  readonly name: string;
  /** Listens to the server for all windows, until the signal aborts. Runs in one window at a time. */
  readonly lead: (tell: (news: PageNews) => void, signal: AbortSignal) => Promise<void>;
  readonly onNews: (news: PageNews) => void;
}

/** The browser APIs for windows that work together. */
export interface ShareMeans {
  readonly locks: Pick<LockManager, 'request'>;
  readonly openChannel: (name: string) => Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'>;
  /** Whether this window is visible, and when that changes. */
  readonly isVisible: () => boolean;
  readonly onVisibility: (run: () => void, signal: AbortSignal) => void;
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface SharedStream {
  leave(): void;
}

/** Milliseconds after which a silent leader counts as frozen by the browser. */
const patience = 3_000;

type WindowMessage =
  | { readonly kind: 'news'; readonly news: PageNews; readonly to?: string }
  | { readonly kind: 'newcomer'; readonly from: string }
  | { readonly kind: 'present'; readonly to: string };

/**
 * Shares one stream between all windows of a browser, because a browser opens at most six connections to a server and a
 * stream occupies one. The window that holds the lock listens and tells the others; when it is gone, another takes
 * over.
 */
export function shareStream(share: StreamShare, means: ShareMeans): SharedStream {
  const band = new WindowStream(share, means);
  void band.follow();
  void band.ask();
  return band;
}

class WindowStream implements SharedStream {
  readonly #share: StreamShare;
  readonly #means: ShareMeans;
  readonly #channel: ReturnType<ShareMeans['openChannel']>;
  readonly #id: string = crypto.randomUUID();
  readonly #left = new AbortController();
  /** Cancels a pending request for the lock. */
  #waiting = new AbortController();
  #leading: AbortController | undefined;
  /** The last state, for windows that come later. */
  #last: PageNews | undefined;
  #answered = false;

  constructor(share: StreamShare, means: ShareMeans) {
    this.#share = share;
    this.#means = means;
    this.#channel = means.openChannel(share.name);
    this.#channel.onmessage = ({ data }) => this.#take(data as WindowMessage);
    const shown = (): void => {
      if (means.isVisible()) void this.ask();
    };
    means.onVisibility(shown, this.#left.signal);
  }

  /** Waits for the lock, again and again. A window whose lock was stolen waits with the others. */
  async follow(): Promise<void> {
    let steal = false;
    while (!this.#left.signal.aborted) {
      this.#waiting = new AbortController();
      const options = steal ? { steal } : { signal: this.#waiting.signal };
      // Rejected when the lock was stolen, or when this window is going to steal it.
      await this.#means.locks.request(this.#share.name, options, () => this.#lead()).catch(() => {});
      this.#leading?.abort();
      this.#leading = undefined;
      steal = this.#waiting.signal.aborted;
    }
  }

  /** Asks for the current state. Replaces a leader that does not answer. */
  async ask(): Promise<void> {
    this.#answered = false;
    this.#post({ kind: 'newcomer', from: this.#id });
    await this.#means.wait(patience, this.#left.signal);
    const isAlone = !this.#answered && this.#leading === undefined;
    if (isAlone && !this.#left.signal.aborted) this.#waiting.abort();
  }

  leave(): void {
    this.#left.abort();
    this.#waiting.abort();
    this.#leading?.abort();
    this.#channel.close();
  }

  async #lead(): Promise<void> {
    if (this.#left.signal.aborted) return;
    this.#leading = new AbortController();
    const { signal } = this.#leading;
    const tell = (news: PageNews): void => {
      if (signal.aborted) return;
      if (news.kind === 'hello' || news.kind === 'lost') this.#last = news;
      this.#share.onNews(news);
      this.#post({ kind: 'news', news });
    };
    await this.#share.lead(tell, signal);
  }

  #take(word: WindowMessage): void {
    switch (word.kind) {
      case 'newcomer':
        if (this.#leading !== undefined) this.#welcome(word.from);
        return;
      case 'present':
        if (word.to === this.#id) this.#answered = true;
        return;
      case 'news':
        if (word.to !== undefined && word.to !== this.#id) return;
        this.#answered = true;
        this.#share.onNews(word.news);
    }
  }

  #welcome(to: string): void {
    if (this.#last === undefined) this.#post({ kind: 'present', to });
    else this.#post({ kind: 'news', news: this.#last, to });
  }

  #post(word: WindowMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
    if (!this.#left.signal.aborted) this.#channel.postMessage(word);
  }
}
