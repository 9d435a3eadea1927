import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useModel } from '../live/use-model.ts';
import { displayedText } from '../parts/text.tsx';

export interface NameFieldProps {
  readonly root: { readonly name: string; readonly path: string };
  readonly onDone: (name: string) => void;
}

/** A name being edited in place: Enter saves, Escape cancels. */
export function NameField({ root: { name: now, path }, onDone }: NameFieldProps): JSX.Element {
  const { api, attempt } = useModel();
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = (name: string): void => {
    if (ended.current) return;
    ended.current = true;
    onDone(name);
  };
  const keep = async (): Promise<void> => {
    const name = field.current?.value.trim() ?? '';
    if (ended.current) return;
    if (name === '' || name === now) end(now);
    else if (await attempt(() => api.post('/api/roots/rename', { root: path, name }))) end(name);
    else field.current?.focus();
  };
  return (
    <input
      ref={field}
      class="name-field"
      defaultValue={now}
      maxLength={256}
      aria-label={`New name of ${displayedText(now)}`}
      onBlur={() => void keep()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void keep();
        if (event.key === 'Escape') {
          event.stopPropagation();
          event.preventDefault();
          end(now);
        }
      }}
    />
  );
}
