import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

export interface DialogProps {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly kind?: 'sheet' | 'box';
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  /** For a question that is not to be closed by accident. */
  readonly noCross?: boolean;
}

/** A modal dialog of the browser: it keeps the focus, gives it back, and closes with Escape. */
export function Dialog({
  title,
  onClose,
  onKeyDown,
  children,
  kind = 'box',
  noCross = false,
}: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = element;
    if (current?.open === false) current.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${kind}`}
      aria-labelledby="dialog-title"
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="dialog-head">
        <h2 id="dialog-title" tabIndex={-1}>
          {title}
        </h2>
        {noCross ? null : (
          <button type="button" class="quiet square" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
