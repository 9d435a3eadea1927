import type { RootSource } from './root-source.ts';
import { toPlace } from './roots.ts';

/** The directories that the operator named; the first one is the project. */
export const operator: RootSource = {
  name: 'operator',
  trust: 'likely',
  explicit: true,
  offer: ({ ceiling = [] }) =>
    ceiling.length === 0 ? { none: 'the operator named no directory' } : { places: ceiling.map(toPlace) },
};
