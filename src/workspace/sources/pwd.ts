import type { RootSource } from '../root-source.ts';

/** What the launcher's shell called its directory. Often stale, so the last guess of all. */
export const pwd: RootSource = {
  name: 'pwd',
  trust: 'weak',
  explicit: false,
  offer({ environment = {} }) {
    const text = environment['PWD'] ?? '';
    return text === '' ? { none: 'PWD is not set' } : { places: [{ text, via: 'PWD' }] };
  },
};
