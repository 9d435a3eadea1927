import type { RootSource } from './root-source.ts';

/** What `switch_project` chose in this connection. */
export const switched: RootSource = {
  name: 'switched',
  trust: 'certain',
  explicit: true,
  told: true,
  final: true,
  bounded: true,
  offer: ({ switched: text }) => (text === undefined ? { none: 'nobody switched' } : { places: [{ text }] }),
};
