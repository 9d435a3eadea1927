import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { AboutView, ErrorView, PageEvent, ProcessView, RootsView } from '../../wire/wire.ts';
import { type PageApi, ApiError } from './api.ts';

/** `starting`: nothing is loaded yet. `live`: the data is current. `lost`: the data is old. `closed`: no session. */
export type PageStatus = 'starting' | 'live' | 'lost' | 'closed';

export interface PageToast {
  readonly id: number;
  readonly text: string;
  readonly hint?: string;
  readonly bad: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** The filters of the audit log. An empty one matches all entries. */
export type FilterFields = Readonly<Record<'caller' | 'root' | 'operation' | 'verdict' | 'text', string>>;

/** The next access to try. */
export interface PathTrial {
  readonly path: string;
  readonly operation: string;
  /** Where a relative path begins, if known. */
  readonly root?: string;
}

/** The state of the page. */
export interface PageModel {
  readonly api: PageApi;
  readonly status: Signal<PageStatus>;
  /** Whether changes are impossible, because the server is not connected. */
  readonly frozen: ReadonlySignal<boolean>;
  /** Why there is no session. */
  readonly refusal: Signal<ErrorView | undefined>;
  readonly about: Signal<AboutView | undefined>;
  readonly roots: Signal<RootsView | undefined>;
  readonly running: Signal<readonly ProcessView[] | undefined>;
  /** Number of the newest entry of the audit log. */
  readonly lastEntry: Signal<number>;
  /** Number of greetings: after each, everything that was loaded before may be stale. */
  readonly greetings: Signal<number>;
  readonly toasts: ReadonlySignal<readonly PageToast[]>;
  /** The open dialogs, the topmost last. Those below it cannot be reached. */
  readonly dialogs: Signal<readonly string[]>;
  /** The next access to try; a row of the audit log may set it. */
  readonly wish: Signal<PathTrial>;
  /** The filters are kept while another view is open. */
  readonly filter: Signal<FilterFields>;
  readonly search: Signal<{ readonly text: string; readonly attention: boolean }>;
  readonly showToast: (toast: Omit<PageToast, 'id' | 'bad'> & { readonly bad?: boolean }) => void;
  readonly dismiss: (id: number) => void;
  /** Runs a change and shows its error, if any. Returns whether it succeeded. */
  readonly attempt: (run: () => Promise<unknown>) => Promise<boolean>;
  /** Handles an event of the server. */
  readonly take: (event: PageEvent) => Promise<void>;
  /** Closes the page because there is no session. */
  readonly shut: (refusal: ErrorView) => void;
}

export const everything: FilterFields = { caller: '', root: '', operation: '', verdict: '', text: '' };

export function createModel(api: PageApi): PageModel {
  const toasts = signal<readonly PageToast[]>([]);
  let count = 0;
  const status = signal<PageStatus>('starting');
  const model: PageModel = {
    api,
    status,
    frozen: computed(() => status.value !== 'live'),
    refusal: signal(undefined),
    about: signal(undefined),
    roots: signal(undefined),
    running: signal(undefined),
    lastEntry: signal(0),
    greetings: signal(0),
    toasts,
    dialogs: signal([]),
    wish: signal({ path: '', operation: 'read' }),
    filter: signal(everything),
    search: signal({ text: '', attention: false }),
    showToast(toast) {
      count += 1;
      toasts.value = [...toasts.value.slice(-2), { bad: false, ...toast, id: count }];
    },
    dismiss(id) {
      toasts.value = toasts.value.filter((toast) => toast.id !== id);
    },
    async attempt(run) {
      try {
        await run();
        return true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { message, hint } = error.view;
        if (error.status === 401) model.shut(error.view);
        else model.showToast({ text: message, hint, bad: true });
        return false;
      }
    },
    take: (event) => take(model, event),
    shut(refusal) {
      model.refusal.value = refusal;
      status.value = 'closed';
    },
  };
  return model;
}

async function take(model: PageModel, event: PageEvent): Promise<void> {
  const { api } = model;
  switch (event.kind) {
    case 'hello': {
      const [about, roots, running] = await Promise.all([
        api.get<AboutView>('/api/about'),
        api.get<RootsView>('/api/roots'),
        api.get<readonly ProcessView[]>('/api/running'),
      ]);
      model.about.value = about;
      model.roots.value = roots;
      model.running.value = running;
      model.greetings.value += 1;
      model.status.value = 'live';
      return;
    }
    case 'roots':
      model.roots.value = await api.get<RootsView>('/api/roots');
      return;
    case 'running':
      model.running.value = await api.get<readonly ProcessView[]>('/api/running');
      return;
    case 'audit':
      model.lastEntry.value = event.last;
  }
}
