import type { JSX } from 'preact';
import { ago, clock } from './format.ts';
import { useNow } from './use-now.ts';

/** How long ago, and it goes on counting. */
export function Ago({ time }: { readonly time: string }): JSX.Element {
  return (
    <time dateTime={time} title={clock(time)}>
      {ago(time, useNow())}
    </time>
  );
}
