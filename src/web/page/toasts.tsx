import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from './icon.tsx';
import type { Toast } from './model.ts';
import { Text } from './text.tsx';
import { useModel } from './use-model.ts';

/** How long a message stays: longer where something can be done about it. Milliseconds. */
const shownFor = 4_000;
const shownLonger = 15_000;

export function Toasts(): JSX.Element {
  const { toasts } = useModel();
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastLine({ toast: { id, text, hint, bad, action } }: { readonly toast: Toast }): JSX.Element {
  const model = useModel();
  useEffect(() => {
    const isShort = action === undefined && !bad;
    const timer = setTimeout(() => model.dismiss(id), isShort ? shownFor : shownLonger);
    return () => clearTimeout(timer);
  }, [id, model, action, bad]);
  return (
    <div class={bad ? 'toast bad' : 'toast'}>
      <p>
        <Text of={text} />
        {hint === undefined || hint === '' ? null : <Text of={hint} class="hint" />}
      </p>
      {action === undefined ? null : (
        <button
          type="button"
          onClick={() => {
            model.dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" class="quiet square" aria-label="Dismiss" onClick={() => model.dismiss(id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
