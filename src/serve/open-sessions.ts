import { RootwardError } from '../errors.ts';
import type { HttpEvent } from '../http/exchange/site.ts';
import { createMeters } from '../http/exchange/telemetry.ts';
import type { SealingKey } from '../http/exchange/request-state.ts';
import type { SessionStore } from '../sessions/record/session-store.ts';
import type { ServeSettings } from './settings/serve-settings.ts';

export interface SessionParts {
  readonly settings: Pick<ServeSettings, 'sessions' | 'sessionsPassword' | 'sessionsPrefix'>;
  readonly keys: readonly SealingKey[];
  readonly record: (event: HttpEvent) => void;
}

/**
 * Where sessions are kept, if not in this process.
 *
 * @throws {RootwardError} `INVALID_CONFIG`, `SESSIONS_UNAVAILABLE`
 */
export async function openSessions({
  settings,
  keys,
  record,
}: SessionParts): Promise<SessionStore | undefined> {
  const { sessions: address, sessionsPassword: password, sessionsPrefix: prefix } = settings;
  if (address === undefined) return undefined;
  if (keys.length === 0) {
    const reason =
      'nodes that share sessions share a key: give --sealing-key-file, or ROOTWARD_SEALING_KEY with the output of openssl rand -base64 32';
    throw new RootwardError('INVALID_CONFIG', { where: '--sessions', reason });
  }
  // Whoever serves alone need not load it.
  const { openRedisStore } = await import('../sessions/redis/redis-store.ts');
  const meters = createMeters();
  return openRedisStore({
    address,
    password,
    prefix,
    secrets: keys.map(({ secret }) => secret),
    forged: () => {
      meters.happened('forged-answer');
      record({ kind: 'forged-answer' });
    },
    observe: (command) => meters.engine(command),
  });
}
