import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { AboutView, ErrorView, PageEvent, ProcessView, RootsView } from '../../wire/wire.ts';
import { type PageApi, ApiError } from './api.ts';

/** `starting`: nothing is known yet. `live`: what is shown is so. `lost`: it was so. `closed`: no session. */
export type PageStatus = 'starting' | 'live' | 'lost' | 'closed';

export interface PageToast {
  readonly id: number;
  readonly text: string;
  readonly hint?: string;
  readonly bad: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Which entries of the audit log are shown. Empty means all. */
export type FilterFields = Readonly<Record<'caller' | 'root' | 'operation' | 'verdict' | 'text', string>>;

/** What to try next. */
export interface PathTrial {
  readonly path: string;
  readonly operation: string;
  /** Where a relative path begins, if somebody said it. */
  readonly root?: string;
}

/** Everything that the page knows. */
export interface PageModel {
  readonly api: PageApi;
  readonly status: Signal<PageStatus>;
  /** Nothing can be changed now, because nobody would hear of it. */
  readonly frozen: ReadonlySignal<boolean>;
  /** Why there is no session. */
  readonly refusal: Signal<ErrorView | undefined>;
  readonly about: Signal<AboutView | undefined>;
  readonly roots: Signal<RootsView | undefined>;
  readonly running: Signal<readonly ProcessView[] | undefined>;
  /** Number of the newest entry of the audit log. */
  readonly lastEntry: Signal<number>;
  /** How often a server greeted: whatever was read before may have changed meanwhile. */
  readonly greetings: Signal<number>;
  readonly toasts: ReadonlySignal<readonly PageToast[]>;
  /** Dialogs that are open, the topmost last. All below it cannot be reached. */
  readonly dialogs: Signal<readonly string[]>;
  /** What to try next: a row of the audit log may fill it in. */
  readonly wish: Signal<PathTrial>;
  /** What is searched for stays, whichever view is looked at meanwhile. */
  readonly filter: Signal<FilterFields>;
  readonly search: Signal<{ readonly text: string; readonly attention: boolean }>;
  readonly showToast: (toast: Omit<PageToast, 'id' | 'bad'> & { readonly bad?: boolean }) => void;
  readonly dismiss: (id: number) => void;
  /** Runs a change; what goes wrong is told. Says whether it went well. */
  readonly attempt: (run: () => Promise<unknown>) => Promise<boolean>;
  /** Takes in what the server told. */
  readonly take: (event: PageEvent) => Promise<void>;
  /** There is no session, or none any more. */
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
