import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ProcessView } from '../wire/wire.ts';
import { AuditScreen } from './audit/audit-screen.tsx';
import { ConnectionsScreen } from './connections/connections-screen.tsx';
import { ConsentDialog } from './consent-dialog.tsx';
import type { PageStatus } from './live/model.ts';
import { useModel } from './live/use-model.ts';
import { Gate, Guarded } from './parts/guarded.tsx';
import { Icon, type IconName } from './parts/icon.tsx';
import { displayedText } from './parts/text.tsx';
import { Toasts } from './parts/toasts.tsx';
import { RootsScreen } from './roots/roots-screen.tsx';
import { TryScreen } from './try/try-screen.tsx';

interface View {
  readonly id: IconName;
  readonly name: string;
  readonly Component: ComponentType;
}

const views: readonly View[] = [
  { id: 'roots', name: 'Roots', Component: RootsScreen },
  { id: 'connections', name: 'Connections', Component: ConnectionsScreen },
  { id: 'audit', name: 'Audit', Component: AuditScreen },
  { id: 'try', name: 'Try it', Component: TryScreen },
];

const words: { readonly [State in PageStatus]: string } = {
  starting: 'Connecting',
  live: 'Live',
  lost: 'Not connected',
  closed: 'Closed',
};

export function App(): JSX.Element {
  return (
    <Guarded what="The page">
      <Shell />
    </Guarded>
  );
}

function Shell(): JSX.Element {
  const { status, running } = useModel();
  const view = useView();
  const { Component } = view;
  if (status.value === 'closed' || status.value === 'starting') return <Gate />;
  return (
    <div class="app">
      <nav class="nav" aria-label="Views">
        <p class="brand">
          <img src="./favicon.svg" alt="" width="22" height="22" />
          <span>Rootward</span>
        </p>
        <ul>
          {views.map(({ id, name }) => (
            <li key={id}>
              <a href={`#${id}`} aria-current={id === view.id ? 'page' : undefined}>
                <Icon name={id} />
                <span>{name}</span>
              </a>
            </li>
          ))}
        </ul>
        <p class={`live ${status.value}`} role="status">
          {words[status.value]}
        </p>
      </nav>
      <main class="main" tabIndex={-1}>
        {status.value === 'lost' ? <Lost /> : null}
        <Guarded key={view.id} what={`The view ${view.name}`} data={running.value}>
          <Component />
        </Guarded>
      </main>
      <Guarded what="A question" data={running.value}>
        <ConsentDialog />
      </Guarded>
      <Toasts />
    </div>
  );
}

function Lost(): JSX.Element {
  const again = useModel().about.value?.again;
  return (
    <div class="banner bad" role="alert">
      <p>
        This page lost its server, so nothing can be changed here. Start it again, and the page reconnects:
      </p>
      {again === undefined ? null : <pre>{displayedText(again)}</pre>}
    </div>
  );
}

function useView(): View {
  const { running, frozen } = useModel();
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const found = views.find(({ id }) => `#${id}` === hash) ?? views[0];
  if (found === undefined) throw new Error('There is no view');
  const title = titleFor(found.name, frozen.value ? [] : (running.value ?? []));
  useEffect(() => void (document.title = title), [title]);
  return found;
}

/** Returns the window title, which shows the number of waiting questions even while another window is in front. */
export function titleFor(view: string, running: readonly Pick<ProcessView, 'questions'>[]): string {
  const waiting = running.reduce((count, { questions }) => count + questions.length, 0);
  return `${waiting === 0 ? '' : `(${waiting}) `}${view} · Rootward`;
}
