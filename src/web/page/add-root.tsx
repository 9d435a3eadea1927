import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LookView } from '../wire.ts';
import { Candidates } from './candidates.tsx';
import { Dialog } from './dialog.tsx';
import { Findings } from './findings.tsx';
import { FolderBrowser } from './folder-browser.tsx';
import { Text } from './text.tsx';
import { useModel } from './use-model.ts';

export interface AddRootProps {
  /** A path to begin with, if one was dropped. */
  readonly path: string;
  readonly onClose: () => void;
}

const ways = ['Suggested', 'Browse'] as const;

/** Picks a root: one that was found, one in the folders, or one that is typed. Nothing is added before it was looked at. */
export function AddRoot({ path: begin, onClose }: AddRootProps): JSX.Element {
  const { api, attempt, say } = useModel();
  const [path, setPath] = useState(begin);
  const [way, setWay] = useState<(typeof ways)[number]>('Suggested');
  const look = useLook(path);
  const isBad = look?.findings.some(({ severity }) => severity === 'error') ?? true;
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const given = path.trim();
    const added = await attempt(async () => {
      const { name } = await api.post<{ name: string }>('/api/roots/add', { path: given });
      say({ text: `Added ${name}. Servers may read and list it` });
    });
    if (added) onClose();
  };
  return (
    <Dialog title="Add a root" onClose={onClose}>
      <form class="path-form" onSubmit={(event) => void add(event)}>
        <label for="add-path">Path or file URI</label>
        <div class="inline">
          <input
            id="add-path"
            value={path}
            placeholder="/home/you/code/app"
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => setPath(currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={isBad}>
            Add
          </button>
        </div>
        <div class="look" role="status">
          {look === undefined ? null : <Verdict look={look} />}
        </div>
      </form>
      <div class="tabs" role="tablist" aria-label="Ways to find a folder">
        {ways.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === way}
            aria-controls="tab-panel"
            tabIndex={name === way ? 0 : -1}
            onClick={() => setWay(name)}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight' || key === 'ArrowLeft')
                setWay(way === 'Browse' ? 'Suggested' : 'Browse');
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="tab-panel" class="tab-panel" role="tabpanel" aria-labelledby={`tab-${way}`} tabIndex={0}>
        {way === 'Suggested' ? (
          <Candidates chosen={path} onPick={setPath} />
        ) : (
          <FolderBrowser chosen={path} onPick={setPath} />
        )}
      </div>
    </Dialog>
  );
}

function Verdict({ look: { findings, name } }: { readonly look: LookView }): JSX.Element {
  if (findings.length > 0) return <Findings findings={findings} />;
  return (
    <p class="fine">
      Nothing speaks against <Text of={name} class="strong" />. It will be readable, nothing more.
    </p>
  );
}

/** How long to wait for the end of typing. Milliseconds. */
const typing = 200;

/** What the server says about a path, while it is typed. */
function useLook(path: string): LookView | undefined {
  const { api } = useModel();
  const [look, setLook] = useState<LookView>();
  useEffect(() => {
    setLook(undefined);
    if (path.trim() === '') return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      api.get<LookView>('/api/look', { path: path.trim() }, stop.signal).then(setLook, () => {});
    }, typing);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [path, api]);
  return look;
}
