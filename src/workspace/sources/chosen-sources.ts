import type { SourceTable } from './root-source.ts';

/** The project that the caller, the operator or a person chose. */
export const chosenSources: SourceTable<'argument' | 'pinned' | 'switched'> = {
  /** The `cwd` or `project` argument of the call: for this call only, and only within the allowed roots. */
  argument: {
    trust: 'certain',
    explicit: true,
    fromOutside: true,
    final: true,
    bounded: true,
    offer: ({ argument: text }) =>
      text === undefined ? { none: 'the call names no directory' } : { places: [{ text }] },
  },

  /** The project that the operator pinned. */
  pinned: {
    trust: 'certain',
    explicit: true,
    final: true,
    offer: ({ pinned: text }) =>
      text === undefined ? { none: 'no project is pinned' } : { places: [{ text }] },
  },

  /** The project that `switch_project` chose in this connection. */
  switched: {
    trust: 'certain',
    explicit: true,
    fromOutside: true,
    final: true,
    bounded: true,
    offer: ({ switched: text }) =>
      text === undefined ? { none: 'no project was switched to' } : { places: [{ text }] },
  },
};
