import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { RootView } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { Icon } from '../parts/icon.tsx';
import { displayedText, Text } from '../parts/text.tsx';
import { NameField } from './name-field.tsx';
import { PermissionSwitches } from './permission-switch.tsx';
import { StateMark } from './root-state.tsx';
import { useRemoveRoot } from './use-remove-root.ts';

export interface RootRowProps {
  readonly root: RootView;
  readonly subsets: number;
  readonly onOpen: () => void;
}

export function RootRow({ root, subsets, onOpen }: RootRowProps): JSX.Element {
  const { frozen } = useModel();
  const { name, path, permissions } = root;
  const [renaming, setRenaming] = useState(false);
  const remove = useRemoveRoot();
  const button = useRef<HTMLButtonElement>(null);
  const renamed = (): void => {
    setRenaming(false);
    // Returns the focus to the row for keyboard users.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) button.current?.focus();
    });
  };
  const label = displayedText(name);
  return (
    <article class="root-row">
      <div class="root-what">
        {renaming ? (
          <NameField root={root} onDone={renamed} />
        ) : (
          <button
            ref={button}
            type="button"
            class="root-name"
            data-row
            aria-label={`${label}, details`}
            onClick={onOpen}
            onKeyDown={(event) => {
              if (frozen.value || event.repeat) return;
              if (event.key === 'F2') setRenaming(true);
              if (event.key === 'Delete') void remove(path);
            }}
          >
            <Text of={name} most={120} />
          </button>
        )}
        <Text of={path} most={200} class="path" />
        <span class="root-marks">
          <StateMark root={root} />
          <Facts root={root} subsets={subsets} />
        </span>
      </div>
      <PermissionSwitches root={root} permissions={permissions} />
      <div class="row-actions">
        <button
          type="button"
          class="quiet square"
          aria-label={`Rename ${label}`}
          title="Rename (F2)"
          disabled={frozen.value}
          onClick={() => setRenaming(true)}
        >
          <Icon name="edit" />
        </button>
        <button
          type="button"
          class="quiet square"
          aria-label={`Remove ${label}`}
          title="Remove (Delete)"
          disabled={frozen.value}
          onClick={() => void remove(path)}
        >
          <Icon name="remove" />
        </button>
      </div>
    </article>
  );
}

/** More facts, as short chips. */
function Facts({ root, subsets }: { readonly root: RootView; readonly subsets: number }): JSX.Element {
  const { permissions, servers, markers, kind } = root;
  const rules = permissions.deny.length;
  const own = Object.keys(servers).length;
  return (
    <>
      {kind === 'unknown' ? null : <span class="chip plain">{kind === 'file' ? 'file' : 'folder'}</span>}
      {markers.slice(0, 2).map((marker) => (
        <span key={marker} class="chip plain">
          <Text of={marker} most={40} />
        </span>
      ))}
      {permissions.deny.slice(0, 2).map(({ glob }) => (
        <span key={glob} class="chip deny">
          <span class="sr">Restricted: </span>
          <Text of={glob} most={40} />
        </span>
      ))}
      {rules > 2 ? <span class="chip deny">+{rules - 2}</span> : null}
      {own > 0 ? <span class="chip">{own === 1 ? '1 exception' : `${own} exceptions`}</span> : null}
      {subsets > 0 ? (
        <span class="chip">{subsets === 1 ? 'in 1 server list' : `in ${subsets} server lists`}</span>
      ) : null}
    </>
  );
}
