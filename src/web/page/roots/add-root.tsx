import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LookView } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Findings } from '../parts/findings.tsx';
import { counted } from '../parts/format.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Text } from '../parts/text.tsx';
import { Candidates } from './candidates.tsx';
import { FolderBrowser } from './folder-browser.tsx';

export interface AddRootProps {
  /** The initial path, if one was dropped. */
  readonly path: string;
  readonly onClose: () => void;
}

const ways = ['Suggested', 'Browse'] as const;

/** A dialog to add roots: suggested ones, one of the folders, or a typed path. Each is checked before it is added. */
export function AddRoot({ path: begin, onClose }: AddRootProps): JSX.Element {
  const [paths, setPaths] = useState<readonly string[]>(begin === '' ? [] : [begin]);
  const [way, setWay] = useState<(typeof ways)[number]>('Suggested');
  const pick = (path: string): void => setPaths(path === '' ? [] : [path]);
  const toggle = (path: string): void =>
    setPaths(paths.includes(path) ? paths.filter((other) => other !== path) : [...paths, path]);
  return (
    <Dialog title="Add a root" onClose={onClose}>
      <PathForm paths={paths} onPaths={setPaths} onClose={onClose} />
      <Tabs label="Ways to find a folder" names={ways} chosen={way} onChoose={setWay}>
        {way === 'Suggested' ? (
          <Candidates chosen={paths} onToggle={toggle} />
        ) : (
          <FolderBrowser chosen={paths[0] ?? ''} onPick={pick} />
        )}
      </Tabs>
    </Dialog>
  );
}

interface PathFormProps {
  readonly paths: readonly string[];
  readonly onPaths: (paths: readonly string[]) => void;
  readonly onClose: () => void;
}

function PathForm({ paths, onPaths, onClose }: PathFormProps): JSX.Element {
  const { frozen } = useModel();
  const looks = useLooks(paths);
  const addAll = useAddRoots();
  const isMany = paths.length > 1;
  const isReady = paths.length > 0 && looks?.length === paths.length && looks.every(isFine);
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const left = await addAll(paths.map((path) => path.trim()));
    if (left.length === 0) onClose();
    else onPaths(left);
  };
  return (
    <form class="path-form" onSubmit={(event) => void add(event)}>
      <label for="add-path">Path or file URI</label>
      <div class="inline">
        <input
          id="add-path"
          autofocus
          value={isMany ? '' : (paths[0] ?? '')}
          placeholder={isMany ? `${paths.length} folders are chosen` : '~/code/app'}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget: { value } }) => onPaths(value === '' ? [] : [value])}
        />
        <button type="submit" class="primary" disabled={!isReady || frozen.value}>
          {isMany ? `Add ${paths.length}` : 'Add'}
        </button>
      </div>
      <div class="look" role="status">
        {looks === undefined ? null : <Verdict looks={looks} />}
      </div>
    </form>
  );
}

function isFine({ findings }: LookView): boolean {
  return findings.every(({ severity }) => severity !== 'error');
}

function Verdict({ looks }: { readonly looks: readonly LookView[] }): JSX.Element {
  const findings = looks.flatMap((look) => look.findings);
  if (findings.length > 0) return <Findings findings={findings} />;
  const [first] = looks;
  return (
    <p class="fine">
      No problems found with{' '}
      {looks.length === 1 && first !== undefined ? (
        <Text of={first.name} class="strong" />
      ) : (
        counted(looks.length, 'folder')
      )}
      . Servers may read and list it, but not change it.
    </p>
  );
}

/** Adds roots one by one, and reports them. Refused paths are reported with the reason, and returned. */
export function useAddRoots(): (paths: readonly string[]) => Promise<readonly string[]> {
  const { api, attempt, showToast } = useModel();
  return async (paths) => {
    const names: string[] = [];
    const left: string[] = [];
    for (const path of paths) {
      const isAdded = await attempt(async () => {
        const { name } = await api.post<{ name: string }>('/api/roots/add', { path });
        names.push(name);
      });
      if (!isAdded) left.push(path);
    }
    if (names.length > 0) showToast({ text: `Added ${listed(names)}. Servers may read and list it` });
    return left;
  };
}

/** Lists the first few names. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  const [last = '', ...before] = shown.toReversed();
  return before.length === 0 ? last : `${before.toReversed().join(', ')} and ${last}`;
}

/** Milliseconds to wait for the end of typing. */
const typing = 200;

/** Returns the server's findings about paths, while they are typed or picked. */
export function useLooks(paths: readonly string[]): readonly LookView[] | undefined {
  const { api } = useModel();
  const [looks, setLooks] = useState<readonly LookView[]>();
  const key = JSON.stringify(paths);
  useEffect(() => {
    setLooks(undefined);
    const wanted = paths.map((path) => path.trim()).filter((path) => path !== '');
    if (wanted.length === 0) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const asked = wanted.map((path) => api.get<LookView>('/api/look', { path }, stop.signal));
      Promise.all(asked).then(setLooks, () => {});
    }, typing);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, api]);
  return looks;
}
