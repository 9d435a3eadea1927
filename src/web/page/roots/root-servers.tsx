import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RootsView, RootView } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { counted } from '../parts/format.tsx';
import { displayedText, Text } from '../parts/text.tsx';
import { PermissionChoices } from './permission-choices.tsx';

export interface RootServersProps {
  readonly root: RootView;
  readonly view: RootsView;
}

/** Servers with exceptions: other permissions, or only some of the roots. */
export function RootServers({ root, view }: RootServersProps): JSX.Element {
  const [more, setMore] = useState<readonly string[]>([]);
  const [name, setName] = useState('');
  const { frozen } = useModel();
  const servers = [...new Set([...Object.keys(root.servers), ...Object.keys(view.subsets), ...more])];
  const add = (event: Event): void => {
    event.preventDefault();
    if (name.trim() !== '') setMore([...more, name.trim()]);
    setName('');
  };
  return (
    <section>
      <h3>Exceptions</h3>
      <p class="hint">For single servers, by the name in your client. They override the settings above.</p>
      {servers.map((server) => (
        <ServerEntry key={server} root={root} view={view} server={server} />
      ))}
      <form class="inline" onSubmit={add}>
        <input
          value={name}
          placeholder="Name of a server"
          aria-label="Name of a server"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" disabled={frozen.value}>
          Add exception
        </button>
      </form>
    </section>
  );
}

interface ServerEntryProps extends RootServersProps {
  readonly server: string;
}

function ServerEntry({ root, view, server }: ServerEntryProps): JSX.Element {
  const { api, attempt, frozen } = useModel();
  const subset = view.subsets[server];
  const limit = (roots: readonly string[] | null): void =>
    void attempt(() => api.post('/api/roots/limit', { server, roots }));
  const seen = subset?.includes(root.path) ?? true;
  const toggle = (): void => {
    const others = (subset ?? view.roots.map(({ path }) => path)).filter((path) => path !== root.path);
    limit(seen ? others : [...others, root.path]);
  };
  return (
    <div class="server">
      <div class="server-head">
        <Text of={server} class="strong" />
        <label class="check">
          <input
            type="checkbox"
            checked={seen}
            disabled={frozen.value}
            aria-label={`${displayedText(server)} sees it`}
            onChange={toggle}
          />
          sees it
        </label>
      </div>
      <PermissionChoices root={root} server={server} permissions={root.servers[server] ?? root.permissions} />
      {subset === undefined ? null : (
        <p class="hint">
          Sees only {counted(subset.length, 'root')} of {view.roots.length}.{' '}
          <button type="button" class="link" disabled={frozen.value} onClick={() => limit(null)}>
            Let it see all again
          </button>
        </p>
      )}
    </div>
  );
}
