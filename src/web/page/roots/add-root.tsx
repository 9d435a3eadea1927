import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LookView } from '../../wire/wire.ts';
import { Candidates } from './candidates.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Findings } from '../parts/findings.tsx';
import { FolderBrowser } from './folder-browser.tsx';
import { counted } from '../parts/format.ts';
import { Tabs } from '../parts/tabs.tsx';
import { Text } from '../parts/text.tsx';
import { useAddRoots } from './use-add-roots.ts';
import { useLooks } from './use-looks.ts';
import { useModel } from '../live/use-model.ts';

export interface AddRootProps {
  /** A path to begin with, if one was dropped. */
  readonly path: string;
  readonly onClose: () => void;
}

const ways = ['Suggested', 'Browse'] as const;

/** Picks roots: found ones, one in the folders, or one that is typed. Nothing is added before it was looked at. */
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
      Nothing speaks against{' '}
      {looks.length === 1 && first !== undefined ? (
        <Text of={first.name} class="strong" />
      ) : (
        counted(looks.length, 'folder')
      )}
      . Servers may read and list there, nothing more.
    </p>
  );
}
