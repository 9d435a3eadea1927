import type { RootSource } from './root-source.ts';
import { toPlace } from './roots.ts';

/** The last good list of this connection. Not after the client took its roots back. */
export const remembered: RootSource = {
  name: 'remembered',
  trust: 'likely',
  explicit: true,
  told: true,
  offer({ remembered: roots = [], roots: answer }) {
    if (answer?.state === 'empty' && answer.revoked) return { none: 'the client has taken its roots back' };
    if (answer?.state === 'failed' && answer.afterChange) return { none: 'the roots have changed since' };
    return roots.length === 0 ? { none: 'nothing is remembered' } : { places: roots.map(toPlace) };
  },
};
