import type { JSX, TargetedMouseEvent } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PageToast } from '../live/model.ts';
import { useModel } from '../live/use-model.ts';
import { Icon } from './icon.tsx';
import { Text } from './text.tsx';

/** Milliseconds that a message stays; longer if it has an action or is an error. */
const shownFor = 4_000;
const shownLonger = 15_000;

export interface ToastsProps {
  /** The dialog that contains them; undefined for the page itself. */
  readonly place?: string;
}

/** Messages, where they can be seen and clicked: in the topmost dialog, or on the page. */
export function Toasts({ place }: ToastsProps): JSX.Element {
  const { toasts, dialogs } = useModel();
  const isHere = dialogs.value.at(-1) === place;
  return (
    <div class="toasts" role="status" aria-live="polite">
      {isHere ? toasts.value.map((toast) => <ToastLine key={toast.id} toast={toast} />) : null}
    </div>
  );
}

function ToastLine({ toast: { id, text, hint, bad, action } }: { readonly toast: PageToast }): JSX.Element {
  const model = useModel();
  useEffect(() => {
    const isShort = action === undefined && !bad;
    const timer = setTimeout(() => model.dismiss(id), isShort ? shownFor : shownLonger);
    return () => clearTimeout(timer);
  }, [id, model, action, bad]);
  const leave = ({ currentTarget }: TargetedMouseEvent<HTMLButtonElement>): void => {
    // The button with the focus disappears, so the focus must move.
    const near = currentTarget.closest('dialog')?.querySelector('h2') ?? document.querySelector('main');
    near?.focus();
    model.dismiss(id);
  };
  return (
    <div class={bad ? 'toast bad' : 'toast'}>
      <p>
        <Text of={text} />
        {hint === undefined || hint === '' ? null : <Text of={hint} class="hint" />}
      </p>
      {action === undefined ? null : (
        <button
          type="button"
          onClick={(event) => {
            leave(event);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" class="quiet square" aria-label="Dismiss" onClick={leave}>
        <Icon name="close" />
      </button>
    </div>
  );
}
