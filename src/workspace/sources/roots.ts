import type { Root } from '../../path/root.ts';
import type { OfferedPlace, RootSource } from './root-source.ts';

/** What the client lists as its roots. */
export const roots: RootSource = {
  name: 'roots',
  trust: 'certain',
  explicit: true,
  told: true,
  offer({ roots: answer = { state: 'unasked' } }) {
    switch (answer.state) {
      case 'unasked':
        return { none: 'the client was not asked for roots' };
      case 'unsupported':
        return { none: 'the client does not support roots' };
      case 'empty':
        return { none: answer.revoked ? 'the client has taken its roots back' : 'the client has no roots' };
      case 'failed':
        return { none: `the client did not answer: ${answer.reason}` };
      case 'listed':
        return answer.roots.length === 0
          ? { none: 'not one root of the client can be used' }
          : { places: answer.roots.map(toPlace) };
    }
  },
};

export function toPlace({ path, name }: Root): OfferedPlace {
  return { text: path, name };
}
