import { toPlace } from './client-sources.ts';
import type { RootSource } from './root-source.ts';

/** The `cwd` or `project` argument of the call: for this call only, and only within what is allowed. */
export const argument: RootSource = {
  name: 'argument',
  trust: 'certain',
  explicit: true,
  told: true,
  final: true,
  bounded: true,
  offer: ({ argument: text }) =>
    text === undefined ? { none: 'the call names no directory' } : { places: [{ text }] },
};

/** What the operator pinned. */
export const pinned: RootSource = {
  name: 'pinned',
  trust: 'certain',
  explicit: true,
  final: true,
  offer: ({ pinned: text }) =>
    text === undefined ? { none: 'no project is pinned' } : { places: [{ text }] },
};

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

/** The directories that the operator named; the first one is the project. */
export const operator: RootSource = {
  name: 'operator',
  trust: 'likely',
  explicit: true,
  offer: ({ ceiling = [] }) =>
    ceiling.length === 0 ? { none: 'the operator named no directory' } : { places: ceiling.map(toPlace) },
};
