import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { AboutView, ErrorView, PageEvent, ProcessView, RootsView } from '../wire.ts';
import { type Api, ApiError } from './api.ts';

/** `starting`: nothing is known yet. `live`: what is shown is so. `lost`: it was so. `closed`: no session. */
export type Status = 'starting' | 'live' | 'lost' | 'closed';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly hint?: string;
  readonly bad: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Everything that the page knows. */
export interface Model {
  readonly api: Api;
  readonly status: Signal<Status>;
  /** Why there is no session. */
  readonly refusal: Signal<ErrorView | undefined>;
  readonly about: Signal<AboutView | undefined>;
  readonly roots: Signal<RootsView | undefined>;
  readonly running: Signal<readonly ProcessView[] | undefined>;
  /** Number of the newest entry of the audit log. */
  readonly lastEntry: Signal<number>;
  readonly toasts: ReadonlySignal<readonly Toast[]>;
  /** What to try next: a row of the audit log may fill it in. */
  readonly wish: Signal<{ readonly path: string; readonly operation: string }>;
  readonly say: (toast: Omit<Toast, 'id' | 'bad'> & { readonly bad?: boolean }) => void;
  readonly dismiss: (id: number) => void;
  /** Runs a change; what goes wrong is told. Says whether it went well. */
  readonly attempt: (run: () => Promise<unknown>) => Promise<boolean>;
  /** Takes in what the server told. */
  readonly take: (event: PageEvent) => Promise<void>;
}

export function createModel(api: Api): Model {
  const toasts = signal<readonly Toast[]>([]);
  let count = 0;
  const model: Model = {
    api,
    status: signal<Status>('starting'),
    refusal: signal(undefined),
    about: signal(undefined),
    roots: signal(undefined),
    running: signal(undefined),
    lastEntry: signal(0),
    toasts,
    wish: signal({ path: '', operation: 'read' }),
    say(toast) {
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
        const { message, hint, code } = error.view;
        if (code === 'no-session') model.status.value = 'closed';
        model.say({ text: message, hint, bad: true });
        return false;
      }
    },
    take: (event) => take(model, event),
  };
  return model;
}

async function take(model: Model, event: PageEvent): Promise<void> {
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
      model.lastEntry.value = -Math.abs(model.lastEntry.value) - 1;
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
