import type { PageEvent } from '../wire.ts';
import { ApiError } from './api.ts';
import type { Model } from './model.ts';

/** How long to wait before the server is tried again. Milliseconds. */
const pause = 1_000;

/** What a browser has for server-sent events, as far as it is used here. */
export interface EventsFrom {
  (path: string): Pick<EventSource, 'onmessage' | 'onerror' | 'close'>;
}

export interface LiveOptions {
  readonly open?: EventsFrom;
  readonly later?: (run: () => void, milliseconds: number) => void;
}

/**
 * Keeps the page up to date, whatever happens to the server: what was missed is asked for when it is back. One
 * that knows this page no longer closes it.
 */
export function goLive(model: Model, options: LiveOptions = {}): void {
  const { open = (path) => new EventSource(path), later = (run, time) => void setTimeout(run, time) } =
    options;
  const events = open('/api/events');
  events.onmessage = ({ data }) => {
    model
      .take(JSON.parse(String(data)) as PageEvent)
      // The stream itself tells soon enough if nobody is there.
      .catch(() => {});
  };
  events.onerror = () => {
    events.close();
    if (model.status.value === 'live') model.status.value = 'lost';
    later(() => void comeBack(model, options), pause);
  };
}

async function comeBack(model: Model, options: LiveOptions): Promise<void> {
  const { later = (run, time) => void setTimeout(run, time) } = options;
  try {
    await model.api.enter(undefined);
    goLive(model, options);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      model.refusal.value = error.view;
      model.status.value = 'closed';
      return;
    }
    later(() => void comeBack(model, options), pause);
  }
}
