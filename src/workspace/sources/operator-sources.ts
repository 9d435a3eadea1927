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
