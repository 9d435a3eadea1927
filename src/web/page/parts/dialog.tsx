import type { ComponentChildren, JSX, TargetedMouseEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { Toasts } from './toasts.tsx';
import { useModel } from '../live/use-model.ts';

export interface DialogProps {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly kind?: 'sheet' | 'box';
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  /** For a question that must not be closed by accident. */
  readonly noCross?: boolean;
}

/**
 * A modal dialog: it keeps the focus, gives it back, and closes with Escape; a sheet also with a click beside it.
 * Messages appear in the topmost dialog, because everything else is out of reach.
 */
export function Dialog(props: DialogProps): JSX.Element {
  const { title, onClose, onKeyDown, children, kind = 'box', noCross = false } = props;
  const id = useId();
  const element = useShown(id);
  const clicked = (event: TargetedMouseEvent<HTMLDialogElement>): void => {
    if (kind === 'sheet' && event.target === event.currentTarget) onClose();
  };
  return (
    <dialog
      ref={element}
      class={`dialog ${kind}`}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      onClick={clicked}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="dialog-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {noCross ? null : (
          <button type="button" class="quiet square" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <div class="dialog-body">{children}</div>
      <Toasts place={id} />
    </dialog>
  );
}

/** Opens the dialog, and registers it as the topmost one while it is open. */
function useShown(id: string): { readonly current: HTMLDialogElement | null } {
  const { dialogs } = useModel();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = element;
    const before = document.activeElement;
    if (current?.open === false) current.showModal();
    dialogs.value = [...dialogs.peek(), id];
    return () => {
      dialogs.value = dialogs.peek().filter((other) => other !== id);
      current?.close();
      // The browser restores the focus only from a dialog that is still in the page.
      const isLost = document.activeElement === null || document.activeElement === document.body;
      const next = before?.isConnected === true ? before : document.querySelector('main');
      if (isLost && next instanceof HTMLElement) next.focus();
    };
  }, [id, dialogs]);
  return element;
}
