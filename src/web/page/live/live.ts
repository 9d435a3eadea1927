import type { PageEvent } from '../../wire/wire.ts';
import { ApiError } from './api.ts';
import { PageAttention, type AttentionMeans } from './attention.ts';
import type { PageModel } from './model.ts';
import { type PageNews, type ShareMeans, shareStream } from './share-stream.ts';

/** Milliseconds to wait before the server is tried again. */
const pause = 1_000;

type TellNews = (news: PageNews) => void;

/**
 * Keeps the page up to date: after a lost connection it loads everything again. A server that does not know this page
 * closes it. All windows of a browser share one stream.
 */
export function goLive(model: PageModel, means: BrowserMeans = browserMeans()): void {
  const { name } = means;
  // A new link was opened in a closed page.
  if (model.status.value === 'closed') model.status.value = 'starting';
  const attention = new PageAttention(name, means);
  const lead = (publish: TellNews, signal: AbortSignal): Promise<void> =>
    listen({ model, means, attention, publish }, signal);
  const shared = shareStream({ name, lead, onNews: (news) => void applyNews(model, news) }, means);
  const unsubscribe = model.status.subscribe((status) => {
    if (status !== 'closed') return;
    // `subscribe` itself calls the function once, before there is anything to unsubscribe.
    queueMicrotask(() => unsubscribe());
    shared.leave();
    attention.close();
  });
}

async function applyNews(model: PageModel, news: PageNews): Promise<void> {
  if (news.kind === 'lost') {
    if (model.status.value === 'live') model.status.value = 'lost';
    return;
  }
  try {
    await model.take(news);
  } catch (error) {
    // The stream reports a lost server.
    if (error instanceof ApiError && error.status === 401) model.shut(error.view);
  }
}

interface StreamListening {
  readonly model: PageModel;
  readonly means: BrowserMeans;
  readonly attention: PageAttention;
  readonly publish: TellNews;
}

/** Listens for all windows. Ends when the server does not know this window; another one may still be known. */
async function listen(listening: StreamListening, signal: AbortSignal): Promise<void> {
  const { model, means, publish } = listening;
  while (!signal.aborted && model.status.value !== 'closed') {
    await readStream(listening, signal);
    if (signal.aborted) return;
    publish({ kind: 'lost' });
    do await means.wait(pause, signal);
    while (!signal.aborted && !(await isBack(model)));
  }
}

/** Reads the stream until it breaks. */
async function readStream(
  { model, means, attention, publish }: StreamListening,
  outer: AbortSignal,
): Promise<void> {
  const broken = new AbortController();
  const signal = AbortSignal.any([outer, broken.signal]);
  const events = means.openEvents(model.api.url('/api/events'));
  events.onmessage = ({ data }) => {
    const event = JSON.parse(String(data)) as PageEvent;
    publish(event);
    if (event.kind !== 'hello') return;
    const { stream } = event;
    const report = (watched: object): void =>
      void model.api.post('/api/watching', { stream, ...watched }).catch(() => {});
    attention.watch(report, signal);
  };
  events.onerror = () => broken.abort();
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  events.close();
}

/** Tells whether a server is running again. A server that does not know this page closes it. */
async function isBack(model: PageModel): Promise<boolean> {
  try {
    await model.api.enter(undefined);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return false;
    model.shut(error.view);
    return true;
  }
}

/** The browser APIs that keep the page up to date. */
export interface BrowserMeans extends ShareMeans, AttentionMeans {
  /** Tells the windows of this server from those of another. */
  readonly name: string;
  readonly locks: Pick<LockManager, 'request' | 'query'>;
  readonly openEvents: (url: string) => Pick<EventSource, 'onmessage' | 'onerror' | 'close'>;
}

function browserMeans(): BrowserMeans {
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

/** Resolves after this time, or at once when the signal aborts. */
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
