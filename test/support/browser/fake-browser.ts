import type { BrowserMeans } from '../../../src/web/page/live/live.ts';

/** An event stream that a test speaks through. */
export interface FakeStream {
  readonly url: string;
  readonly window: FakeWindow;
  closed: boolean;
  send(event: object): void;
  fail(): void;
}

export interface FakeWindow {
  readonly means: BrowserMeans;
  /** Puts it in front, or behind something. */
  show(visible: boolean): void;
  /** Says and hears nothing any more, but keeps its locks, as a window that the browser has frozen. */
  freeze(): void;
  /** Gone without a word; the browser takes its locks. */
  crash(): void;
}

interface Held {
  readonly name: string;
  readonly owner: FakeWindow;
  readonly shared: boolean;
  readonly giveUp: (stolen: boolean) => void;
}

/** A browser with windows, for a test: locks, channels and event streams as browsers have them. */
export class FakeBrowser {
  readonly streams: FakeStream[] = [];
  readonly #channels = new Set<FakeChannel>();
  #held: Held[] = [];
  #queue: { readonly name: string; readonly owner: FakeWindow; readonly start: () => void }[] = [];
  readonly #waits: (() => void)[] = [];

  /** Streams that are open now. */
  get open(): readonly FakeStream[] {
    return this.streams.filter(({ closed }) => !closed);
  }

  openWindow(): FakeWindow {
    const state = { visible: true, frozen: false, watchers: [] as (() => void)[] };
    const own: FakeChannel[] = [];
    const window: FakeWindow = {
      means: {
        name: 'page',
        locks: { request: this.#requestFor(() => window) as never, query: () => this.#query() },
        openChannel: (name) => {
          const channel = new FakeChannel(name, this.#channels, () => state.frozen);
          own.push(channel);
          return channel;
        },
        openEvents: (url) => this.#openStream(url, window),
        isVisible: () => state.visible,
        onVisibility: (run) => state.watchers.push(run),
        wait: () => new Promise((resolve) => this.#waits.push(resolve)),
        every: () => {},
      },
      show(visible) {
        state.visible = visible;
        for (const run of state.watchers) run();
      },
      freeze: () => void (state.frozen = true),
      crash: () => {
        state.frozen = true;
        for (const channel of own) channel.close();
        for (const stream of this.streams) if (stream.window === window) stream.closed = true;
        this.#queue = this.#queue.filter(({ owner }) => owner !== window);
        for (const held of this.#held.filter(({ owner }) => owner === window)) held.giveUp(false);
      },
    };
    return window;
  }

  /** Lets everything run that can. Counted in turns: on a busy machine one may take longer than all of them together. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  /** Ends all waiting. */
  async runTimers(): Promise<void> {
    await this.settle();
    for (const run of this.#waits.splice(0)) run();
    await this.settle();
  }

  #openStream(url: string, window: FakeWindow): ReturnType<BrowserMeans['openEvents']> {
    const events = {
      onmessage: null as ((event: { readonly data: string }) => void) | null,
      onerror: null as (() => void) | null,
      close: () => void (stream.closed = true),
    };
    const stream: FakeStream = {
      url,
      window,
      closed: false,
      send: (event) => events.onmessage?.({ data: JSON.stringify(event) }),
      fail: () => events.onerror?.(),
    };
    this.streams.push(stream);
    return events;
  }

  #requestFor(owner: () => FakeWindow) {
    return (name: string, options: LockOptions, run: () => Promise<void>): Promise<void> =>
      new Promise((resolve, reject) => {
        const shared = options.mode === 'shared';
        const start = (): void => {
          let over = false;
          const giveUp = (stolen: boolean): void => {
            if (over) return;
            over = true;
            this.#held = this.#held.filter((one) => one !== held);
            if (stolen) reject(new DOMException('stolen', 'AbortError'));
            else resolve();
            this.#next();
          };
          const held: Held = { name, owner: owner(), shared, giveUp };
          this.#held.push(held);
          void run().then(() => giveUp(false));
        };
        if (options.steal === true) {
          for (const held of this.#held.filter((one) => one.name === name)) held.giveUp(true);
          start();
        } else if (shared) queueMicrotask(start);
        else {
          this.#queue.push({ name, owner: owner(), start });
          queueMicrotask(() => this.#next());
        }
        options.signal?.addEventListener('abort', () => {
          const before = this.#queue.length;
          this.#queue = this.#queue.filter((waiting) => waiting.start !== start);
          if (this.#queue.length < before) reject(new DOMException('aborted', 'AbortError'));
        });
      });
  }

  #next(): void {
    const next = this.#queue.find(({ name }) => !this.#held.some((held) => held.name === name));
    if (next === undefined) return;
    this.#queue = this.#queue.filter((waiting) => waiting !== next);
    next.start();
  }

  async #query(): Promise<LockManagerSnapshot> {
    return { held: this.#held.map(({ name }) => ({ name })), pending: [] };
  }
}

class FakeChannel {
  readonly #name: string;
  readonly #all: Set<FakeChannel>;
  readonly #isFrozen: () => boolean;
  onmessage: BroadcastChannel['onmessage'] = null;

  constructor(name: string, all: Set<FakeChannel>, isFrozen: () => boolean) {
    this.#name = name;
    this.#all = all;
    this.#isFrozen = isFrozen;
    all.add(this);
  }

  postMessage(data: unknown): void {
    if (this.#isFrozen()) return;
    for (const other of this.#all) {
      if (other === this || other.#name !== this.#name || other.#isFrozen()) continue;
      queueMicrotask(() => other.onmessage?.call(other as never, { data: structuredClone(data) } as never));
    }
  }

  close(): void {
    this.#all.delete(this);
  }
}
