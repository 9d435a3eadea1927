import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RootsView, RootView } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Findings } from '../parts/findings.tsx';
import { Ago } from '../parts/format.tsx';
import { Icon } from '../parts/icon.tsx';
import { displayedText, Text } from '../parts/text.tsx';
import { NameField } from './name-field.tsx';
import { PermissionChoices } from './permission-choices.tsx';
import { Restrictions } from './restrictions.tsx';
import { RootServers } from './root-servers.tsx';
import { StateMark } from './root-state.tsx';
import { useRemoveRoot } from './use-remove-root.ts';

export interface RootDetailProps {
  readonly root: RootView;
  readonly view: RootsView;
  readonly onClose: () => void;
}

/** All details of one root. */
export function RootDetail({ root, view, onClose }: RootDetailProps): JSX.Element {
  const { frozen } = useModel();
  const { name, path, permissions, findings, added } = root;
  const [renaming, setRenaming] = useState(false);
  const remove = useRemoveRoot();
  return (
    <Dialog kind="sheet" onClose={onClose} title={<Text of={name} most={120} />}>
      <div class="detail-head">
        <Text of={path} class="path" most={2_000} />
        <StateMark root={root} />
        {added === undefined ? null : (
          <span class="hint">
            added <Ago time={added} />
          </span>
        )}
      </div>
      <Findings findings={findings} />
      <section>
        <h3>What servers may do here</h3>
        <PermissionChoices root={root} permissions={permissions} />
      </section>
      <Restrictions root={path} rules={permissions.deny} />
      <RootServers root={root} view={view} />
      <Grants root={root} />
      <footer class="detail-foot">
        {renaming ? (
          <NameField root={root} onDone={() => setRenaming(false)} />
        ) : (
          <button type="button" disabled={frozen.value} onClick={() => setRenaming(true)}>
            <Icon name="edit" /> Rename
          </button>
        )}
        <button
          type="button"
          class="danger"
          disabled={frozen.value}
          onClick={() => {
            onClose();
            void remove(path);
          }}
        >
          <Icon name="remove" /> Remove
        </button>
      </footer>
    </Dialog>
  );
}

function Grants({ root: { path, grants } }: { readonly root: RootView }): JSX.Element | null {
  const { api, attempt, frozen } = useModel();
  if (grants.length === 0) return null;
  return (
    <section>
      <h3>Your answers</h3>
      <ul class="lines">
        {grants.map(({ server, answer, date, until }) => (
          <li key={`${server} ${date}`}>
            <span>
              <Text of={server} class="strong" />{' '}
              {answer === 'always' ? 'may always see it' : 'never sees it'}
              <span class="hint">
                {' '}
                <Ago time={date} />
                {until === undefined ? '' : `, until ${until.slice(0, 10)}`}
              </span>
            </span>
            <button
              type="button"
              class="quiet"
              disabled={frozen.value}
              aria-label={`Forget the answer about ${displayedText(server)}`}
              onClick={() => void attempt(() => api.post('/api/roots/forget', { root: path, server }))}
            >
              Forget
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
