import type { RootSource } from './root-source.ts';

/** What the operator pinned. */
export const pinned: RootSource = {
  name: 'pinned',
  trust: 'certain',
  explicit: true,
  final: true,
  offer: ({ pinned: text }) =>
    text === undefined ? { none: 'no project is pinned' } : { places: [{ text }] },
};
