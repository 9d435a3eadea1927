import type { ComponentChildren, JSX, TargetedDragEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useModel } from '../live/use-model.ts';

export interface DropZoneProps {
  readonly onPath: (path: string) => void;
  readonly children: ComponentChildren;
}

/** Accepts a path that is dropped anywhere on the view. */
export function DropZone({ onPath, children }: DropZoneProps): JSX.Element {
  const { showToast } = useModel();
  const [over, setOver] = useState(false);
  const dropped = (event: TargetedDragEvent<HTMLElement>): void => {
    event.preventDefault();
    setOver(false);
    const data = event.dataTransfer;
    const path = data && pathIn(data.getData('text/uri-list'), data.getData('text/plain'));
    if (path) onPath(path);
    else {
      const hint = 'Drop the path from a terminal or an address bar, or paste it under Add a root';
      showToast({ text: 'The browser does not reveal the path of a dropped folder', hint, bad: true });
    }
  };
  return (
    <section
      class={over ? 'view dropping' : 'view'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={dropped}
    >
      {children}
      {over ? <p class="drop-hint">Drop a path to add it as a root</p> : null}
    </section>
  );
}

/** Returns the path in a drop: the first file URI of a list, or a text that is a path. */
export function pathIn(list: string, text: string): string | undefined {
  const lines = `${list}\n${text}`.split(/\r?\n/).map((line) => line.trim());
  return lines.find((line) => /^(?:file:|~?\/|~$|[A-Za-z]:[\\/])/.test(line));
}
