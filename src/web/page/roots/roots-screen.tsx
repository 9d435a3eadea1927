import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RootsView as Roots, RootView } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { Empty } from '../parts/empty.tsx';
import { counted } from '../parts/format.tsx';
import { Icon } from '../parts/icon.tsx';
import { Text } from '../parts/text.tsx';
import { useNarrow } from '../parts/use-narrow.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { AddRoot } from './add-root.tsx';
import { DropZone } from './drop-zone.tsx';
import { operationList, operationNames } from './permission-switch.tsx';
import { RootDetail } from './root-detail.tsx';
import { RootRow } from './root-row.tsx';
import { judge } from './root-state.tsx';

export function RootsScreen(): JSX.Element {
  const { roots, frozen } = useModel();
  const button = useRef<HTMLButtonElement>(null);
  const [adding, setAdding] = useState<string>();
  const [opened, setOpened] = useState<string>();
  const view = roots.value;
  useFocusWhenEmpty(view?.roots.length, button);
  if (view === undefined) return <p role="status">Reading the roots…</p>;
  const root = view.roots.find(({ path }) => path === opened);
  return (
    <DropZone onPath={setAdding}>
      <header class="head">
        <div>
          <h1>Roots</h1>
          <p class="lead">Folders and files that you let servers see.</p>
        </div>
        <button
          ref={button}
          type="button"
          class="primary"
          disabled={frozen.value}
          onClick={() => setAdding('')}
        >
          <Icon name="plus" /> Add a root
        </button>
      </header>
      {view.damage === undefined ? null : (
        <p class="banner bad" role="alert">
          <Text of={view.damage.message} /> <Text of={view.damage.hint} />
        </p>
      )}
      {view.roots.length === 0 ? (
        <NoRoots onAdd={() => setAdding('')} />
      ) : (
        <RootList view={view} onOpen={setOpened} />
      )}
      {adding === undefined ? null : <AddRoot path={adding} onClose={() => setAdding(undefined)} />}
      {root === undefined ? null : (
        <RootDetail key={root.path} root={root} view={view} onClose={() => setOpened(undefined)} />
      )}
    </DropZone>
  );
}

/** Moves the focus when the last root, which had it, disappears. */
function useFocusWhenEmpty(count: number | undefined, next: { readonly current: HTMLElement | null }): void {
  const before = useRef(count);
  useEffect(() => {
    const isEmptied = count === 0 && (before.current ?? 0) > 0;
    before.current = count;
    if (isEmptied && document.activeElement === document.body) next.current?.focus();
  }, [count, next]);
}

function NoRoots({ onAdd }: { readonly onAdd: () => void }): JSX.Element {
  const { frozen } = useModel();
  return (
    <Empty icon="roots" title="No roots yet">
      <p>
        A root is a folder, or a single file, that you let servers see. It can be read and listed; writing,
        removing and running are switches that you turn on yourself. Until you add one, a server sees what its
        client lists, or the project that it finds.
      </p>
      <button type="button" class="primary" disabled={frozen.value} onClick={onAdd}>
        <Icon name="plus" /> Add the first root
      </button>
      <p class="hint">
        Or drop a path here, or type <code>rootward roots add ~/code/app</code> in a terminal.
      </p>
    </Empty>
  );
}

interface RootListProps {
  readonly view: Roots;
  readonly onOpen: (path: string) => void;
}

function RootList({ view, onOpen }: RootListProps): JSX.Element {
  const { search } = useModel();
  const { text, attention: only } = search.value;
  const look = (part: Partial<typeof search.value>): void => {
    search.value = { ...search.peek(), ...part };
  };
  const narrow = useNarrow();
  const shown = useMemo(() => filter(view.roots, text, only), [view, text, only]);
  const attention = useMemo(() => view.roots.filter(needsAttention).length, [view]);
  const subsets = useMemo(() => countSubsets(view), [view]);
  return (
    <>
      <div class="tools" role="search">
        <input
          type="search"
          placeholder="Find a root"
          aria-label="Find a root"
          value={text}
          onInput={({ currentTarget }) => look({ text: currentTarget.value })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={only}
            onChange={({ currentTarget }) => look({ attention: currentTarget.checked })}
          />
          Needs attention ({attention})
        </label>
        <span class="count" role="status">
          {counted(shown.length, 'root')}
        </span>
      </div>
      {narrow ? null : (
        <div class="root-columns" aria-hidden="true">
          <span>Root</span>
          <span class="switch-columns">
            {operationList.map((operation) => (
              <span key={operation}>{operationNames[operation]}</span>
            ))}
          </span>
        </div>
      )}
      {shown.length === 0 ? (
        <p class="none">
          No root matches.{' '}
          <button type="button" class="link" onClick={() => look({ text: '', attention: false })}>
            Show all of them
          </button>
        </p>
      ) : null}
      <VirtualList
        label="Roots"
        count={shown.length}
        rowHeight={narrow ? 156 : 84}
        row={(index) => {
          const root = shown[index];
          if (root === undefined) return null;
          return (
            <RootRow
              key={root.path}
              root={root}
              subsets={subsets.get(root.path) ?? 0}
              onOpen={() => onOpen(root.path)}
            />
          );
        }}
      />
    </>
  );
}

function filter(roots: readonly RootView[], text: string, only: boolean): readonly RootView[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '' && !only) return roots;
  return roots.filter(
    (root) =>
      (!only || needsAttention(root)) &&
      (root.name.toLowerCase().includes(wanted) || root.path.toLowerCase().includes(wanted)),
  );
}

function needsAttention(root: RootView): boolean {
  const { look } = judge(root);
  return look === 'bad' || look === 'warn';
}

function countSubsets({ subsets }: Roots): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of Object.values(subsets).flat()) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}
