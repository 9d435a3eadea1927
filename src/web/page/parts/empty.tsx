import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** An empty state, with advice. */
export function Empty({ icon, title, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <span class="empty-mark">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
