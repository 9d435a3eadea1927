import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { BrowseView } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { counted } from '../parts/format.tsx';
import { Icon } from '../parts/icon.tsx';
import { displayedText, Text } from '../parts/text.tsx';

/** Number of folders shown at once: more would take long to render. */
const pageSize = 200;

export interface PickProps {
  readonly chosen: string;
  readonly onPick: (path: string) => void;
}

/** Folders within those that may be browsed: a click selects, the arrow opens. */
export function FolderBrowser({ chosen, onPick }: PickProps): JSX.Element {
  const { api, attempt, about } = useModel();
  const tops = about.value?.tops ?? [];
  const [path, setPath] = useState(tops[0]?.path ?? '');
  const [view, setView] = useState<BrowseView>();
  const [hidden, setHidden] = useState(false);
  const [most, setMost] = useState(pageSize);
  useEffect(() => {
    if (path === '') return;
    void attempt(async () => setView(await api.get<BrowseView>('/api/browse', { path })));
  }, [path, api, attempt]);
  const go = (to: string): void => {
    setPath(to);
    setMost(pageSize);
    onPick(to);
  };
  if (tops.length === 0) return <p class="none">No folder can be browsed here. Type a path above.</p>;
  const folders = view?.folders.filter((folder) => hidden || !folder.hidden) ?? [];
  return (
    <div class="browser">
      <nav class="crumbs" aria-label="Folders above">
        {tops.length > 1 ? (
          <select
            aria-label="Where to look"
            value={view?.crumbs[0]?.path ?? path}
            onChange={({ currentTarget }) => go(currentTarget.value)}
          >
            {tops.map((top) => (
              <option key={top.path} value={top.path}>
                {displayedText(top.path)}
              </option>
            ))}
          </select>
        ) : null}
        {view?.crumbs.map((crumb) => (
          <button key={crumb.path} type="button" class="crumb" onClick={() => go(crumb.path)}>
            <Text of={crumb.name} most={40} />
          </button>
        ))}
      </nav>
      <ul class="picks folders" aria-label="Folders">
        {folders.slice(0, most).map(({ name, path: folder, root }) => (
          <li key={folder} class="folder">
            <button
              type="button"
              class="pick"
              aria-pressed={folder === chosen}
              onClick={() => onPick(folder)}
              onDblClick={() => go(folder)}
            >
              <Icon name="folder" />
              <Text of={name} most={80} />
              {root === undefined ? null : <span class="chip">root</span>}
            </button>
            <button
              type="button"
              class="quiet square"
              aria-label={`Open ${displayedText(name)}`}
              onClick={() => go(folder)}
            >
              <Icon name="more" />
            </button>
          </li>
        ))}
      </ul>
      {view !== undefined && folders.length === 0 ? <p class="none">No folders in here.</p> : null}
      {folders.length > most ? (
        <button type="button" onClick={() => setMost(most + pageSize * 5)}>
          Show more of {counted(folders.length, 'folder')}
        </button>
      ) : null}
      {view?.truncated === true ? (
        <p class="remedy">There are too many folders to list. Type the path above.</p>
      ) : null}
      <label class="check">
        <input
          type="checkbox"
          checked={hidden}
          onChange={({ currentTarget }) => setHidden(currentTarget.checked)}
        />
        Show hidden folders
      </label>
      <p class="hint">Only folders are listed. For a single file, type or drop its path.</p>
    </div>
  );
}
