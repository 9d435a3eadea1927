import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { useId } from 'preact/hooks';

export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  readonly children: ComponentChildren;
}

/** Tabs: arrow keys select, and move the focus. */
export function Tabs<Name extends string>(props: TabsProps<Name>): JSX.Element {
  const { label, names, chosen, onChoose, children } = props;
  const id = useId();
  const pressed = ({ key, currentTarget }: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const next = (names.indexOf(chosen) + step + names.length) % names.length;
    const name = names[next];
    if (name !== undefined) onChoose(name);
    currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={pressed}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={id}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={id} class="tab-panel" role="tabpanel" aria-labelledby={`${id}-${chosen}`} tabIndex={0}>
        {children}
      </div>
    </>
  );
}
