import type { JSX } from 'preact';

/** Strokes on a 20 × 20 grid. */
const paths = {
  roots: 'M10 3v6m0 0c-3.5 0-5.5 2.2-5.5 6M10 9c3.5 0 5.5 2.2 5.5 6M10 9v8',
  connections: 'M6.5 6.5a3 3 0 1 0 0 7h2m5-7a3 3 0 1 1 0 7h-2M7.5 10h5',
  audit: 'M4 5h12M4 10h12M4 15h7',
  try: 'M8.5 14a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zm4-1.5L17 17',
  edit: 'M4 16l.8-3.2L13 4.6a1.4 1.4 0 0 1 2 0l.4.4a1.4 1.4 0 0 1 0 2L7.200 15.200z',
  remove: 'M4.500 6h11M8 6V4.500h4V6m2.500 0-.6 9.500h-7.800L5.500 6',
  more: 'M7.500 5l5 5-5 5',
  folder: 'M3 6.500V15h14V7H10L8.500 5H3z',
  plus: 'M10 4v12M4 10h12',
  close: 'M5 5l10 10M15 5L5 15',
  pause: 'M7 5v10M13 5v10',
  play: 'M7 4.500l8 5.500-8 5.500z',
  save: 'M10 4v8m0 0-3-3m3 3 3-3M4 16h12',
  good: 'M4.500 10.500l3.500 3.500 7.500-8',
  bad: 'M5.500 5.500l9 9M14.500 5.500l-9 9',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
