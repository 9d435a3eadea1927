import { RootwardError } from '../../../src/errors.ts';
import type { SessionStore } from '../../../src/sessions/record/session-store.ts';

/** A store that lost its connection. */
export function unreachable(store: SessionStore): SessionStore {
  const away = async (): Promise<never> => {
    throw new RootwardError('SESSIONS_UNAVAILABLE', { reason: 'no answer within 300 ms' });
  };
  return Object.assign(Object.create(store) as SessionStore, {
    nodeId: store.nodeId,
    create: away,
    touch: away,
    onDeliver: () => () => {},
  });
}
